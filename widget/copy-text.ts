// Copies a text: by the clipboard where there is one, else out of the field that shows it, else the customer copies it by hand.

/** Resolves with false when the text is only marked. `field` shows the text. */
export async function copyText(text: string, field: HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    field.focus()
    field.select()
    // The clipboard API is for secure pages only; this old way is not.
    return document.execCommand('copy')
  }
}
