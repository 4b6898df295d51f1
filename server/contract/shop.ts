// The shop as the customer sees it: its name, logo, colour, and where to ask. Everything is text,
// never HTML.
import { z } from 'zod'
import { NOT_TEXT, NOTHING_SEEN, ONE_LINE, PHONE, oneLine, seenIn, withoutUnseen } from './text.ts'

const ADDRESS = 'Send a whole address, such as https://shop.example/help, without user name or password.'

/**
 * An address that a browser may open or load. Which origins it may have, the companion's settings
 * say.
 */
export const WebAddress = z
  .string()
  .max(500)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  }, ADDRESS)

/** What customers read: of several lines one is made. */
export const shownLine = (most: number) =>
  z
    .string()
    .overwrite((text) => oneLine(withoutUnseen(text)))
    .min(1, { error: NOTHING_SEEN, abort: true })
    .max(most)
    .regex(ONE_LINE, { error: NOT_TEXT, abort: true })
    .refine(seenIn, NOTHING_SEEN)

/** `shop` of `POST /v1/sessions`: each field takes the place of the setting of the same name. */
export const SessionShop = z.strictObject({
  name: shownLine(60).optional().describe('Who is paid, on one line.'),
  logo: WebAddress.optional().describe('Address of a picture whose origin is in HC_ALLOWED_ORIGINS.'),
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Send six hex digits after a #, such as #b5432a.')
    .toLowerCase()
    .optional()
    .describe('Colour of buttons, as #b5432a.'),
  phone: z
    .string()
    .trim()
    .regex(PHONE, 'Send a phone number as people write it, such as +254 712 345 678.')
    .optional()
    .describe('Where customers call, as people read it.'),
  email: z.email('This is not an e-mail address: write it as help@shop.example.').max(254).optional(),
  helpUrl: WebAddress.optional().describe('Address of the help page, https.'),
})
export type SessionShop = z.infer<typeof SessionShop>

/** `shop` of an answer: from the settings, and from the session where that says otherwise. */
export const Shop = z.object({
  name: z.string().optional(),
  logo: z
    .string()
    .optional()
    .describe('Address of a picture: at the companion, or of an origin in HC_ALLOWED_ORIGINS.'),
  accent: z.string().optional().describe('Six hex digits after a #.'),
  onAccent: z.string().optional().describe('Text on the accent: black or white, at a contrast of 4.5:1 or more.'),
  phone: z.string().optional(),
  email: z.string().optional(),
  helpUrl: z.string().optional(),
})
export type Shop = z.infer<typeof Shop>
