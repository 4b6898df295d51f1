// Hands the payment to another phone: the share sheet, or the clipboard where there is none.

/** Resolves with true when the link lies in the clipboard now. */
export async function shareLink(url: string): Promise<boolean> {
  try {
    if (navigator.share) {
      await navigator.share({ url })
      return false
    }
    await navigator.clipboard.writeText(url)
    return true
  } catch {
    // The customer closed the sheet, or the browser refuses both.
    return false
  }
}
