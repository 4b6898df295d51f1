// The events of the element leave its shadow root, and bubble through the page.
export const open = { bubbles: true, composed: true } as const
