// The languages that customers are spoken to in. A leaf module without imports.

/** Languages of the widget and the pages (ISO 639-1): HC_LOCALES chooses among them. */
export const languages = ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so'] as const
export type Language = (typeof languages)[number]
