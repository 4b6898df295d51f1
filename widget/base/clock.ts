// Times as the customer reads them, on the card and on the receipt.

/**
 * True where days are written in numbers, as in the operators' messages: Chromium knows no months
 * in these languages, so Intl would mix in the phone's language and script; where it does, the
 * short months of `rn` are those of `rw`, and `rw` puts the year first.
 */
const isNumeric = (locale: string): boolean => /^(ha|r[nw]|so)/.test(locale)

/**
 * Formats a time. Always 24 hours: in Ethiopia 12-hour times count from sunrise (3:15 would be read
 * as 9:15), and a browser without the language would write AM and PM in English. Part by part:
 * Chromium below 76 knows no `timeStyle`.
 * @param month how long its name is, where the date is shown too
 */
export function clock(time: string | Date, locale: string, month?: 'short' | 'long', timeZoneName?: 'short'): string {
  const digits = isNumeric(locale) && '2-digit'
  return new Date(time).toLocaleString(digits ? 'en-GB' : locale, {
    year: month && 'numeric',
    month: month && (digits || month),
    day: month && (digits || 'numeric'),
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName,
    hourCycle: 'h23',
  })
}
