// The element's tokens: what a page sets as `--hc-*`, else the element's own value; in light and
// dark.
import { css } from 'lit'

export const tokens = css`
  :host {
    --_accent: var(--hc-accent, #0b6e4f);
    --_on: var(--hc-on-accent, #fff);
    --_bg: var(--hc-background, #fff);
    --_text: var(--hc-text, #17211d);
    --_muted: var(--hc-muted, #5a6862);
    --_line: var(--hc-border, #84918a);
    --_field: var(--hc-field, #fff);
    --_soft: var(--hc-soft, #eef5f1);
    --_bad: var(--hc-danger, #b3261e);
    --_good: var(--hc-success, #17803d);
    --_r: var(--hc-radius, 12px);
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme='light'])) {
      /* A browser that darkens pages by itself leaves these colours as they are. */
      color-scheme: dark;
      --_accent: var(--hc-accent, #4cc79a);
      --_on: var(--hc-on-accent, #06231a);
      --_bg: var(--hc-background, #151c19);
      --_text: var(--hc-text, #eaf1ee);
      --_muted: var(--hc-muted, #a3b2ab);
      --_line: var(--hc-border, #6c7d75);
      --_field: var(--hc-field, #1c2521);
      --_soft: var(--hc-soft, #1d2b25);
      --_bad: var(--hc-danger, #ff9b91);
      --_good: var(--hc-success, #57d389);
    }
  }
  :host([theme='dark']) {
    color-scheme: dark;
    --_accent: var(--hc-accent, #4cc79a);
    --_on: var(--hc-on-accent, #06231a);
    --_bg: var(--hc-background, #151c19);
    --_text: var(--hc-text, #eaf1ee);
    --_muted: var(--hc-muted, #a3b2ab);
    --_line: var(--hc-border, #6c7d75);
    --_field: var(--hc-field, #1c2521);
    --_soft: var(--hc-soft, #1d2b25);
    --_bad: var(--hc-danger, #ff9b91);
    --_good: var(--hc-success, #57d389);
  }
`
