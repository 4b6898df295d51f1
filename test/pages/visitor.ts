// A visitor without JavaScript: follows links and submits forms like a browser, with its Origin and
// without cookies.
import { COMPANION_URL } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** Where a 303 leads. */
  readonly location: string | null
}

export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Seen>
  /** Sends a form; `fields` over what the page's own hidden fields say. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen>
  /** Fills in the form of a page and sends it. */
  submit(page: Seen, fields: Record<string, string>, which?: string): Promise<Seen>
}

/** @param address where the person's requests come from; without one they come without a network */
export function visitor(system: TestSystem, address?: string): Visitor {
  const env = address === undefined ? undefined : { incoming: { socket: { remoteAddress: address } } }
  async function see(response: Response): Promise<Seen> {
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location'),
    }
  }
  const get: Visitor['get'] = async (path, headers = {}) =>
    see(await system.companion.app.request(new URL(path, COMPANION_URL).href, { headers }, env))
  const post: Visitor['post'] = async (path, fields, headers = {}) =>
    see(
      await system.companion.app.request(
        new URL(path, COMPANION_URL).href,
        {
          method: 'POST',
          headers: { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams(fields).toString(),
        },
        env,
      ),
    )
  return {
    get,
    post,
    async submit(page, fields, which = '') {
      const form = formsOf(page.html).find(
        ({ hidden, action }) => which === '' || hidden['action'] === which || action.includes(which),
      )
      if (form === undefined) throw new Error(`The page has no form ${which}`)
      return post(form.action, { ...form.hidden, ...fields })
    },
  }
}

export function formsOf(html: string): { readonly action: string; readonly hidden: Record<string, string> }[] {
  return [...html.matchAll(/<form\s+method="post"\s+action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', body = '']) => ({
      action: unescape(action),
      hidden: Object.fromEntries(
        [...body.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, unescape(value)],
        ),
      ),
    }),
  )
}

function unescape(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}

/** What a person reads: no tags, no style, single spaces. */
export function textOf(html: string): string {
  return unescape(html.replace(/<(style|script|noscript)[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]+>/g, ' ')).replace(
    /\s+/g,
    ' ',
  )
}

/** Value that a field is shown with. */
export function valueOf(html: string, name: string): string | undefined {
  const input = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag).find((tag) => tag.includes(`name="${name}"`))
  const value = input === undefined ? undefined : /\bvalue="([^"]*)"/.exec(input)?.[1]
  return value === undefined ? undefined : unescape(value)
}
