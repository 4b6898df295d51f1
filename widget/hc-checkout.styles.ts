// The element's looks: tokens on the host, light and dark, one calm card.
// Four hundred lines: the form and all that follows it share one look, and two sheets with the same rules would cost bytes.
import { css } from 'lit'

export const styles = css`
  :host {
    /* A width of its own, which gives way: beside others in a row, in a centred column, in a box as wide as what is in it. */
    display: grid;
    grid-template-columns: minmax(0, 480px);
    place-content: start center;
    --_accent: var(--hc-accent, #0b6e4f);
    --_on: var(--hc-on-accent, #fff);
    --_bg: var(--hc-background, #fff);
    --_text: var(--hc-text, #17211d);
    --_muted: var(--hc-muted, #5a6862);
    --_line: var(--hc-border, #84918a);
    --_field: var(--hc-field, #fff);
    --_soft: var(--hc-soft, #eef5f1);
    --_bad: var(--hc-danger, #b3261e);
    --_r: var(--hc-radius, 12px);
    font: 16px/1.45 var(--hc-font, system-ui, sans-serif);
    color: var(--_text);
    /* As our languages are written, in a page from right to left too; own words may need rtl. */
    direction: ltr;
  }
  :host([hidden]) {
    display: none;
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
  }
  * {
    box-sizing: border-box;
  }
  /* Where an old browser lacks a property, an older one stands before it or in its place (grid-gap, left and right). */
  .card {
    background: var(--_bg);
    border: 1px solid var(--_line);
    border-radius: calc(var(--_r) + 4px);
    padding: 20px;
    padding: clamp(16px, 5%, 28px);
    padding-top: 28px;
    /* Where the page has made the element a block. */
    width: 100%;
    max-width: 480px;
    margin: auto;
    position: relative;
    /* A page that styles everything does not mean us; its typeface, size and colour may. */
    text-align: start;
    text-indent: 0;
    text-transform: none;
    letter-spacing: normal;
    word-spacing: normal;
    white-space: normal;
    line-height: 1.45;
    overflow-wrap: break-word;
    font-variant-numeric: tabular-nums;
  }
  .test {
    visibility: visible !important;
    opacity: 1 !important;
    /* On the edge, in the card's padding: nothing moves when it comes, and a bare page's margin holds it. Large text takes a second line, whose field moves
       down: cut off, "no real money" would read as "real money" in a language that puts its "not" last. */
    float: left;
    margin-top: -37px;
    padding: 4px 10px;
    line-height: 1.1;
    border-radius: 12px;
    background: #ffd84d;
    color: #332a00;
    font-size: 13px;
    font-weight: 700;
    display: inline-block !important;
  }
  .test ~ * {
    clear: left;
  }
  form,
  .stack,
  .two {
    display: grid;
    grid-gap: 16px;
    grid-template-columns: minmax(0, 1fr);
  }
  .two {
    grid-template-columns: repeat(auto-fit, minmax(min(180px, 100%), 1fr));
  }
  p,
  h2,
  dl,
  dd {
    margin: 0;
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
  select,
  .plain,
  .money,
  ul {
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    background: var(--_field);
  }
  input,
  select {
    width: 100%;
    min-height: 48px;
    /* Keeps the label, or the reason for a refusal, visible above a field that gets focus. */
    scroll-margin-top: 7em;
    padding: 10px 14px;
  }
  /* As much room as the empty note below another field takes; browsers indent its text by four more. */
  select {
    padding-left: 10px;
    margin-bottom: 6px;
  }
  option {
    background: var(--_field);
    color: var(--_text);
  }
  :focus-visible {
    outline: 3px solid var(--_text);
    outline-offset: 2px;
  }
  /* By itself: a browser before 86 drops the whole rule in which it does not know one selector. */
  .money:focus-within {
    outline: 3px solid var(--_text);
    outline-offset: 2px;
  }
  h2:focus {
    outline: 0;
  }
  .wrong,
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
  /* One field to the eye: the currency takes the room that it needs, however large the text, and a line of its own where an amount would be cut off. */
  .money {
    display: flex;
    align-items: center;
    padding: 0 0 0 16px;
    padding-inline: 16px 0;
  }
  .money input {
    font-size: 24px;
    font-weight: 650;
    min-height: 58px;
    flex: 160px;
    min-width: 0;
    border: 0;
    background: none;
    outline: 0;
  }
  .money span {
    color: var(--_muted);
    font-weight: 600;
  }
  .row,
  .chips,
  dl div {
    display: flex;
  }
  .row,
  .money,
  dl div {
    flex-wrap: wrap;
  }
  .row .plain,
  dd {
    flex: auto;
  }
  /* Margins in place of a gap between boxes in a row: Chromium below 84 knows none there. */
  .row {
    margin: -4px;
  }
  .row .plain {
    margin: 4px;
  }
  /* Room for what the companion says first of limits and usual amounts: one row, which a thumb can move. */
  .chips {
    margin: 0 -4px;
    overflow-x: auto;
    scrollbar-width: none;
    min-height: 64px;
  }
  #amount-note {
    min-height: 21px;
  }
  /* None where it says nothing, and the form why. */
  .warn ~ * .chips,
  .warn ~ * #amount-note {
    min-height: 0;
  }
  .locked {
    min-height: 95px;
  }
  /* The reference, in one line where there is room, else in two of equal length. */
  :last-child > dd {
    font-size: 13px;
    word-break: break-all;
  }
  .plain,
  .main,
  .note,
  dd {
    text-wrap: balance;
  }
  p + .plain {
    margin-top: 12px;
  }
  .plain,
  .main {
    padding: 12px 16px;
    cursor: pointer;
    font-weight: 600;
    text-align: center;
  }
  a.plain {
    display: block;
    color: inherit;
    text-decoration: none;
  }
  .chips .plain {
    flex: 1 0 auto;
    margin: 10px 4px 4px;
    padding-inline: 8px;
    border-radius: 99px;
  }
  .plain[aria-pressed='true'] {
    background: var(--_soft);
    border-color: var(--_accent);
  }
  .main {
    display: block;
    width: 100%;
    padding: 15px 20px;
    border: 0;
    border-radius: var(--_r);
    background: var(--_accent);
    color: var(--_on);
    font-size: 17px;
    text-decoration: none;
  }
  /* A shop's accent alone is one colour by day and by night: black or white on it, whichever can be read. */
  @supports (color: lch(from red l c h)) {
    .card {
      --_on: var(--hc-on-accent, lch(from var(--_accent) calc((50 - l) * 99) 0 0));
    }
  }
  .main[disabled] {
    opacity: 0.6;
  }
  .quiet {
    border: 0;
    color: var(--_muted);
    font-size: 14px;
    background: none;
    text-decoration: underline;
  }
  .combo {
    position: relative;
  }
  ul {
    margin: 4px 0 0;
    padding: 4px;
    position: absolute;
    z-index: 5;
    width: 100%;
    max-height: 264px;
    overflow: auto;
    box-shadow: 0 8px 28px #0003;
  }
  li {
    display: flex;
    align-items: center;
    min-height: 44px;
    padding: 6px 10px;
    border-radius: 8px;
    cursor: pointer;
  }
  li[aria-selected='true'] {
    background: var(--_soft);
  }
  li i,
  .mark {
    background: var(--_soft);
    color: var(--_accent);
    border-radius: 8px;
    min-width: 30px;
    flex: none;
    margin-right: 12px;
    margin-inline: 0 12px;
    font:
      700 12px/30px system-ui,
      sans-serif;
    text-align: center;
  }
  .mark {
    width: 56px;
    height: 56px;
    padding: 14px;
    border-radius: 50%;
  }
  .bad {
    color: var(--_bad);
  }
  svg {
    display: block;
    fill: none;
    stroke: currentColor;
    stroke-width: 2.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .turn svg {
    animation: t 1.1s linear infinite;
  }
  @keyframes t {
    to {
      transform: rotate(360deg);
    }
  }
  h2 {
    font-size: 22px;
    line-height: 1.25;
    margin-bottom: -8px;
  }
  /* Twelve digits stand in one line on the smallest phone, and at its largest zoom, where it is as large as other text, seven. */
  .sum {
    font-size: 30px;
    font-size: clamp(16px, 7.3vw, 30px);
    font-weight: 700;
  }
  .note,
  .locked {
    padding: 14px;
    border-radius: var(--_r);
    background: var(--_soft);
  }
  /* What a button has found out is seen on a small screen too, where its place is below the window. */
  .row + div {
    position: sticky;
    bottom: 0;
    background: var(--_bg);
  }
  .row + div > p {
    margin-top: 12px;
  }
  .warn {
    border-inline-start: 4px solid var(--_bad);
  }
  dl {
    border-top: 1px solid var(--_line);
    padding-top: 6px;
  }
  /* What does not fit beside its name stands below it: no amount is broken within its number. */
  dl div {
    align-items: baseline;
    gap: 0 16px;
    padding-top: 8px;
  }
  dt,
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  dd {
    min-width: 0;
    text-align: end;
  }
  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    .turn svg {
      animation-duration: 6s;
    }
  }
  @media print {
    .plain {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .main,
    .plain[aria-pressed='true'] {
      border: 2px solid ButtonText;
    }
    .test,
    .note,
    .locked {
      outline: 1px solid;
    }
    li[aria-selected='true'] {
      outline: 2px solid Highlight;
    }
  }
`
