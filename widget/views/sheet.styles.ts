// Styles of a sheet: from below on a phone, centred on a wide screen. Design tokens are inherited
// from the element.
import { css } from 'lit'
import { testMark } from '../base/test-mark.styles.ts'

export const sheetStyles = css`
  * {
    box-sizing: border-box;
  }
  dialog {
    width: 100%;
    max-width: 440px;
    max-height: calc(100% - 24px);
    margin: auto auto 0;
    padding: 0;
    border: 0;
    border-radius: calc(var(--_r) + 8px) calc(var(--_r) + 8px) 0 0;
    background: var(--_bg);
    color: var(--_text);
    overflow: auto;
    overscroll-behavior: contain;
    /* What gets focus comes out from under the header, and above what was said. */
    scroll-padding: 72px 0;
    box-shadow: 0 -4px 40px #0004;
  }
  dialog::backdrop {
    background: #0009;
  }
  @media (min-width: 480px) {
    dialog {
      margin: auto;
      border-radius: calc(var(--_r) + 8px);
    }
  }
  /* grid-gap, and margins in place of a gap between boxes in a row: older browsers know no
     other. */
  .inside {
    display: grid;
    grid-gap: 16px;
    padding: 12px 20px 20px;
  }
  .inside > * {
    min-width: 0;
  }
  .head {
    display: flex;
    align-items: center;
    position: sticky;
    top: 0;
    margin: 0 -20px;
    padding: 4px 8px 4px 20px;
    padding-inline: 20px 8px;
    background: var(--_bg);
    z-index: 1;
  }
  h2 {
    flex: 1;
    /* A long word breaks before it pushes the close button out of the window. */
    min-width: 0;
    overflow-wrap: break-word;
    margin: 0;
    font-size: 20px;
    line-height: 1.25;
  }
  h2:focus {
    outline: 0;
  }
  h3 {
    margin: 4px 0 -10px;
    font-size: 16px;
  }
  p {
    margin: 0;
  }
  ${testMark}
  .test {
    justify-self: start;
  }
  .hint,
  summary {
    color: var(--_muted);
    font-size: 14px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    margin: -5px;
  }
  .row > * {
    margin: 5px;
  }
  button,
  a,
  .chip span {
    flex: 1 1 auto;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-height: 44px;
    padding: 10px 14px;
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    background: none;
    color: inherit;
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    cursor: pointer;
  }
  .support a {
    display: inline-block;
    padding: 10px 6px;
    border: 0;
    text-decoration: underline;
  }
  .close {
    flex: none;
    width: 44px;
    padding: 0;
    border: 0;
    border-radius: 50%;
  }
  .close svg {
    width: 22px;
    height: 22px;
    stroke: currentColor;
    stroke-width: 2.25;
    stroke-linecap: round;
  }
  button:focus-visible,
  a:focus-visible,
  summary:focus-visible,
  textarea:focus-visible,
  input:focus-visible + span {
    outline: 3px solid var(--_text);
    outline-offset: 2px;
  }
  .qr {
    /* Nor darkened by a browser that darkens pages: it makes the code white on white. */
    color-scheme: only light;
    justify-self: center;
    width: 100%;
    max-width: 256px;
    border-radius: 12px;
    forced-color-adjust: none;
  }
  textarea {
    width: 100%;
    padding: 10px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    background: var(--_soft);
    color: inherit;
    font: inherit;
    font-size: 14px;
    resize: none;
    field-sizing: content;
    overflow-wrap: anywhere;
  }
  summary {
    min-height: 44px;
    line-height: 44px;
    cursor: pointer;
  }
  .paper {
    border: 1px solid var(--_line);
    border-radius: var(--_r);
  }
  /* The sheet's own mark stands above. */
  .paper .mark {
    display: none;
  }
  .said {
    min-height: 1.45em;
    font-weight: 600;
    text-align: center;
  }
  /* Visible wherever the sheet is scrolled to. */
  .said:not(:empty) {
    position: sticky;
    bottom: 0;
    margin: 0 -20px -20px;
    padding: 12px 20px;
    background: var(--_bg);
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  legend {
    padding: 0;
    margin-bottom: 8px;
    font-weight: 600;
  }
  .chip {
    position: relative;
  }
  .chip input {
    position: absolute;
    inset: 0;
    opacity: 0;
    margin: 0;
    cursor: pointer;
  }
  .chip span {
    border-radius: 99px;
    padding-inline: 16px;
  }
  .chip input:checked + span {
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_on);
  }
  ol,
  ul {
    margin: 0;
    padding-inline-start: 24px;
    display: grid;
    grid-gap: 8px;
  }
  ol li::marker {
    font-weight: 700;
  }
  @media (forced-colors: active) {
    dialog {
      border: 1px solid CanvasText;
    }
    .test {
      outline: 1px solid;
    }
    .chip input:checked + span {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    dialog {
      animation: up 0.18s ease-out;
    }
    @keyframes up {
      from {
        transform: translateY(24px);
        opacity: 0;
      }
    }
  }
`
