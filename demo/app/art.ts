// The pictures of the shops and their goods, by name. They are written into the page, so that they
// take its colours. Those of the first shop come with the page, the others later.
import { unsafeHTML } from 'lit/directives/unsafe-html.js'

const pictures = new Map<string, string>()

/** @param files what is in a picture's file, by path */
export function keepPictures(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) pictures.set(path.replace(/^.*\/|\.svg$/g, ''), text)
}

keepPictures(
  import.meta.glob<string>(['./art/marks/*.svg', './art/nairobi/*.svg'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

/** Until a picture has come its place is kept. */
export const picture = (name: string) => unsafeHTML(pictures.get(name) ?? '<svg aria-hidden="true"></svg>')
