// An alert as a message of a chat: JSON to a webhook of Slack, Mattermost or Telegram.
import { postOver } from '../../notices/post.ts'

/** Its name may be looked up after that of a receiver, which can take 20 s. */
const TIMEOUT_MS = 30_000

const LOOK_ALIKES: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '@': '＠' }

/**
 * Shows what chats act upon: `<!channel>` and `@all` wake everybody, and `<https://…|text>` hides
 * where it leads. An alert quotes the service, which may quote what a customer typed.
 */
function withoutMarkup(text: string): string {
  return text.replaceAll(/[<>@]/g, (character) => LOOK_ALIKES[character] ?? '')
}

/** Posts `text`; rejects unless the chat accepted it. */
export async function postText(url: string, text: string, fetch: typeof globalThis.fetch): Promise<void> {
  const address = new URL(url)
  const body: Record<string, string> = { text: withoutMarkup(text) }
  // Telegram's sendMessage expects chat_id in the body, but the setting holds only a URL.
  const chat = address.searchParams.get('chat_id')
  if (chat !== null) {
    body['chat_id'] = chat
    address.searchParams.delete('chat_id')
  }
  const response = await postOver(fetch)(address, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the alert webhook answered ${response.status}`)
}
