// The pictures of the shops and their goods, by name. They are written into the page, so that they
// take its colours.
const files = import.meta.glob<string>('./art/*.svg', { query: '?raw', import: 'default', eager: true })

export const art: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path.replace(/^.*\/|\.svg$/g, ''), text]),
)
