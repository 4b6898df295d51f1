// svelte-check looks for it.
export default {}
