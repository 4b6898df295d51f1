// Which characters are allowed in text from others that goes on to databases, notices and pages.
import { z } from 'zod'

/**
 * One line: no control characters, lone surrogates or line separators, which PostgreSQL and some
 * JSON readers refuse.
 */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
/**
 * The same for text of several lines: refuses only NUL and lone surrogates, which no reader
 * accepts.
 */
export const LINES = /^[^\0\p{Cs}]*$/u
/** Line breaks and tabs become one space: a text of several lines as the service takes it. */
export const oneLine = (text: string): string => text.replace(/[\t-\r\u2028\u2029]+/g, ' ').trim()
/** A phone number as people write it, in European or Arabic digits. */
export const PHONE = /^(?=.*[0-9\u0660-\u0669\u06f0-\u06f9])\+?[0-9\u0660-\u0669\u06f0-\u06f9 ()\-.]{1,24}$/
/**
 * What nobody sees and no word needs: marks and overrides of direction, zero-width spaces, soft
 * hyphens. The joiners of letters stay (U+200C, U+200D). Signs that are seen, such as the Arabic
 * sign of a year, are none of them, though Unicode counts them as format characters.
 */
const UNSEEN = /(?![\u200c\u200d])(?=\p{Cf})\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu
/**
 * Text that people read, without what could turn its letters around or make two texts look the
 * same.
 */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '')
/**
 * The blank of Braille is a symbol to Unicode, and the fillers of Hangul are letters: both look
 * like a space.
 */
const BLANK = /[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** How many characters of a text can be seen. */
export const seenIn = (text: string): number => Array.from(text.replace(BLANK, '')).length
/**
 * One line that is kept as it is, so that what nobody sees is refused in it: order numbers and
 * other names that programs compare.
 */
export const NAME_LINE =
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$/u
export const NOT_TEXT =
  'It has control characters, half a character, or marks that nobody sees: leave them out, and write it on one line.'
export const NOTHING_SEEN = 'It has no character that can be seen: write some text.'

/** What the shop calls an order or a purchase, for its programs to compare. */
export const shopsName = () =>
  z
    .string()
    .min(1, { error: NOTHING_SEEN, abort: true })
    .max(128)
    .regex(NAME_LINE, { error: NOT_TEXT, abort: true })
    .refine(seenIn, NOTHING_SEEN)
