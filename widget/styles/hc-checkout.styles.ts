// The element's looks: one calm card, the form. Its colours are in tokens.styles.ts, and
// flow.styles.ts adds the rest.
import { css } from 'lit'
import { testMark } from '../base/test-mark.styles.ts'
import { fields } from './fields.styles.ts'
import { tokens } from './tokens.styles.ts'

// One sheet: Lit flattens a list of sheets by a method that Chromium 64 lacks.
export const styles = css`
  ${tokens}
  :host {
    /* A width of its own, which gives way: beside others in a row, in a centred column, in a box
       as wide as what is in it. */
    display: grid;
    grid-template-columns: minmax(0, 480px);
    place-content: start center;
    font: 16px/1.45 var(--hc-font, system-ui, sans-serif);
    color: var(--_text);
    /* As our languages are written, in a page from right to left too; own words may need rtl. */
    direction: ltr;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  /* Where an old browser lacks a property, an older one stands before it or in its place (grid-
     gap, left and right). */
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
    /* Brought to the top of a window, with what stands on its edge. */
    scroll-margin-top: 24px;
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
  /* On the edge, in the card's padding: nothing moves when it comes, and a bare page's margin
     holds it. Large text takes a second line, whose field moves down: cut off, "no real money"
     would read as "real money" in a language that puts its "not" last. */
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    align-content: start;
    min-height: 37px;
    margin-top: -37px;
    padding-bottom: 9px;
  }
  ${testMark}
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
  /* About as high as each other: from one to the next the card neither grows nor shrinks, in a
     language of long words on a narrow phone either. */
  form,
  .stack {
    align-content: start;
    min-height: 560px;
    min-height: max(560px, 1250px - 175vw);
  }
  /* The card keeps its height: a few words at the top of all that room would look cut off. */
  .alone {
    align-content: center;
  }
  p,
  h2 {
    margin: 0;
  }
  ${fields}
  .plain,
  .main,
  .note {
    text-wrap: balance;
  }
  .plain,
  .main {
    padding: 12px 16px;
    cursor: pointer;
    font-weight: 600;
    text-align: center;
  }
  .chips .plain {
    flex: 1 0 auto;
    margin: 10px 4px 4px;
    padding-inline: 8px;
    border-radius: 99px;
  }
  .plain[aria-pressed='true'] {
    background: var(--_soft);
    border-color: var(--_text);
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
  /* A shop's accent alone is one colour by day and by night: black or white on it, whichever can
     be read. */
  @supports (color: lch(from red l c h)) {
    .card {
      --_on: var(--hc-on-accent, lch(from var(--_accent) calc((50 - l) * 99) 0 0));
    }
  }
  .main[disabled] {
    opacity: 0.6;
  }
  /* Twelve digits stand in one line on the smallest phone, and at its largest zoom, where it is
     as large as other text, seven. */
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
  .warn {
    border-inline-start: 4px solid var(--_bad);
  }
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
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
    .plain[aria-pressed='true'] {
      border: 2px solid ButtonText;
    }
    .test,
    .note,
    .locked {
      outline: 1px solid;
    }
  }
`
