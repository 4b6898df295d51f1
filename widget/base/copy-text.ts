// Copies a text: with the clipboard API if there is one, otherwise from the field that shows it; if
// both fail, the customer copies by hand.

export type CopyField = Pick<HTMLTextAreaElement, 'ownerDocument' | 'focus' | 'select'>

/** Resolves with false if the text is only selected. `field` shows the text. */
export async function copyText(text: string, field: CopyField): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    field.focus()
    field.select()
    // The clipboard API needs a secure context; execCommand does not.
    return field.ownerDocument.execCommand('copy')
  }
}
