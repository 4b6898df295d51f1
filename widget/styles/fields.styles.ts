// The looks of the form's fields and rows: a part of hc-checkout.styles.ts.
import { css } from 'lit'

export const fields = css`
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
  .money {
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
  /* As much room as the empty note below another field takes; browsers indent its text by four
     more. */
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
  /* A rule of its own: browsers before 86 drop a whole rule if they do not know one of its
     selectors. */
  .money:focus-within {
    outline: 3px solid var(--_text);
    outline-offset: 2px;
  }
  h2:focus,
  form:focus {
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
  /* One field to the eye: the currency takes the room that it needs, however large the text, and
     a line of its own where an amount would be cut off. */
  .money {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
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
    margin: 0 0 0 16px;
    margin-inline: 16px 0;
    color: var(--_muted);
    font-weight: 600;
  }
  /* Room for what the companion says first of limits and usual amounts: one row, which a thumb
     can move. */
  .chips {
    display: flex;
    margin: 0 -4px;
    overflow-x: auto;
    scrollbar-width: none;
    min-height: 64px;
  }
  #amount-note {
    min-height: 21px;
  }
  /* No such room where the form says why nothing can be paid. */
  .warn ~ * .chips,
  .warn ~ * #amount-note {
    min-height: 0;
  }
  .locked {
    min-height: 95px;
  }
  /* Each line of a long text begins beside the mark. */
  summary {
    padding: 11px 0 11px 15px;
    text-indent: -15px;
    color: var(--_muted);
    font-size: 14px;
    line-height: 22px;
    cursor: pointer;
  }
  summary b {
    margin: 0 0 0 8px;
    color: var(--_text);
  }
  [open] > summary b {
    display: none;
  }
  /* Room for the names, which come later. */
  .names {
    min-height: 21px;
    color: var(--_text);
    font-weight: 600;
  }
`
