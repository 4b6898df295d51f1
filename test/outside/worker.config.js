// How a bundler makes one file of the backend for Workers. Vite runs in a process of its own for
// it: it sets NODE_ENV, with which npm would install no development dependencies for the shops.
export default {
  ssr: { target: 'webworker', noExternal: true },
  build: {
    ssr: 'worker.mjs',
    outDir: '.',
    emptyOutDir: false,
    rolldownOptions: { output: { entryFileNames: 'worker.js' } },
  },
}
