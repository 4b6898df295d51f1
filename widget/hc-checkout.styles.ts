// The element's looks: tokens on the host, light and dark, one calm card.
import { css } from 'lit'

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
    --_accent: var(--hc-accent, #0b6e4f);
    --_on: var(--hc-on-accent, #fff);
    --_bg: var(--hc-background, #fff);
    --_text: var(--hc-text, #17211d);
    --_muted: var(--hc-muted, #5a6862);
    --_line: var(--hc-border, #d5ddd9);
    --_field: var(--hc-field, #fff);
    --_soft: var(--hc-soft, #eef5f1);
    --_bad: var(--hc-danger, #b3261e);
    --_r: var(--hc-radius, 12px);
    font-family: var(--hc-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    font-size: 16px;
    line-height: 1.45;
    color: var(--_text);
    text-align: start;
  }
  :host([hidden]) {
    display: none;
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme='light'])) {
      --_accent: var(--hc-accent, #4cc79a);
      --_on: var(--hc-on-accent, #06231a);
      --_bg: var(--hc-background, #151c19);
      --_text: var(--hc-text, #eaf1ee);
      --_muted: var(--hc-muted, #a3b2ab);
      --_line: var(--hc-border, #35423c);
      --_field: var(--hc-field, #1c2521);
      --_soft: var(--hc-soft, #1d2b25);
      --_bad: var(--hc-danger, #ff9b91);
    }
  }
  :host([theme='dark']) {
    --_accent: var(--hc-accent, #4cc79a);
    --_on: var(--hc-on-accent, #06231a);
    --_bg: var(--hc-background, #151c19);
    --_text: var(--hc-text, #eaf1ee);
    --_muted: var(--hc-muted, #a3b2ab);
    --_line: var(--hc-border, #35423c);
    --_field: var(--hc-field, #1c2521);
    --_soft: var(--hc-soft, #1d2b25);
    --_bad: var(--hc-danger, #ff9b91);
  }
  * {
    box-sizing: border-box;
  }
  .card {
    background: var(--_bg);
    border: 1px solid var(--_line);
    border-radius: calc(var(--_r) + 4px);
    padding: clamp(16px, 5cqi, 28px);
    max-width: 480px;
    margin-inline: auto;
    overflow-wrap: break-word;
  }
  .test {
    visibility: visible !important;
    opacity: 1 !important;
    margin: 0 0 14px;
    padding: 4px 10px;
    border-radius: 99px;
    background: #ffd84d;
    color: #332a00;
    font-size: 13px;
    font-weight: 700;
    display: inline-block !important;
    letter-spacing: 0.02em;
  }
  form,
  .stack {
    display: grid;
    gap: 16px;
    margin: 0;
  }
  .two {
    display: grid;
    gap: 16px;
    grid-template-columns: repeat(auto-fit, minmax(min(180px, 100%), 1fr));
  }
  label {
    display: block;
    font-size: 14px;
    font-weight: 600;
    margin-bottom: 6px;
  }
  input,
  select,
  button {
    font: inherit;
    color: inherit;
  }
  input,
  select {
    width: 100%;
    min-height: 48px;
    padding: 10px 14px;
    background: var(--_field);
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    appearance: none;
  }
  select {
    background-image:
      linear-gradient(45deg, transparent 50%, currentColor 50%),
      linear-gradient(135deg, currentColor 50%, transparent 50%);
    background-size: 6px 6px;
    background-position:
      calc(100% - 20px) 50%,
      calc(100% - 14px) 50%;
    background-repeat: no-repeat;
    padding-inline-end: 36px;
  }
  select option {
    background: var(--_field);
    color: var(--_text);
  }
  input:focus-visible,
  select:focus-visible,
  button:focus-visible,
  a:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  [aria-invalid='true'] {
    border-color: var(--_bad);
  }
  .hint,
  .err {
    font-size: 14px;
    margin: 6px 0 0;
    color: var(--_muted);
  }
  .err {
    color: var(--_bad);
    font-weight: 600;
  }
  .money {
    position: relative;
  }
  .money input {
    font-size: 24px;
    font-weight: 650;
    padding-inline-start: 68px;
    min-height: 60px;
    font-variant-numeric: tabular-nums;
  }
  .money span {
    position: absolute;
    inset-inline-start: 16px;
    top: 0;
    line-height: 60px;
    color: var(--_muted);
    font-weight: 600;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-top: 10px;
  }
  .chips button {
    min-height: 44px;
    padding: 8px 16px;
    border: 1px solid var(--_line);
    border-radius: 99px;
    background: none;
    cursor: pointer;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .chips button[aria-pressed='true'] {
    background: var(--_soft);
    border-color: var(--_accent);
  }
  .main {
    display: flex;
    align-items: center;
    justify-content: center;
    width: 100%;
    min-height: 54px;
    padding: 12px 20px;
    border: 0;
    border-radius: var(--_r);
    background: var(--_accent);
    color: var(--_on);
    font-weight: 700;
    font-size: 17px;
    cursor: pointer;
    text-decoration: none;
    text-align: center;
  }
  .main[disabled] {
    opacity: 0.6;
    cursor: default;
  }
  .combo {
    position: relative;
  }
  p {
    margin: 0;
  }
  .sum {
    font-size: 30px;
    font-weight: 700;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  .locked {
    padding: 16px;
    background: var(--_soft);
    border-radius: var(--_r);
  }
  .note {
    padding: 12px 14px;
    border-radius: var(--_r);
    background: var(--_soft);
    font-size: 15px;
  }
  .note.warn {
    border-inline-start: 4px solid var(--_bad);
  }
  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .main,
    .chips button[aria-pressed='true'] {
      border: 2px solid ButtonText;
    }
    li[aria-selected='true'] {
      outline: 2px solid Highlight;
    }
  }
`
