// Recognises browsers within another app, which refuse or lose tabs, and neither print nor save.

/** By their user agent. TikTok names only its maker. */
export const isInApp = (userAgent: string): boolean =>
  /Bytedance|FBA[NV]|Instagram|WhatsApp|Line\/|; wv\)/.test(userAgent)
