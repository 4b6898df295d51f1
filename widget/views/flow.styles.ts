// Looks of what comes after the first keystroke: the bank list and the states of a payment.
import { css } from 'lit'

export const flowStyles = css`
  .plain {
    min-height: 44px;
    padding: 10px 14px;
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    background: none;
    cursor: pointer;
    font-weight: 600;
    text-decoration: none;
    display: inline-flex;
    align-items: center;
    justify-content: center;
  }
  .quiet {
    border: 0;
    color: var(--_muted);
    font-weight: 500;
    font-size: 14px;
    text-decoration: underline;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 10px;
  }
  ul {
    list-style: none;
    margin: 4px 0 0;
    padding: 4px;
    position: absolute;
    z-index: 5;
    inset-inline: 0;
    max-height: 264px;
    overflow: auto;
    background: var(--_field);
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    box-shadow: 0 8px 28px #0003;
  }
  li {
    display: flex;
    align-items: center;
    gap: 12px;
    min-height: 44px;
    padding: 6px 10px;
    border-radius: 8px;
    cursor: pointer;
  }
  li[aria-selected='true'] {
    background: var(--_soft);
  }
  li i {
    flex: none;
    width: 30px;
    height: 30px;
    border-radius: 8px;
    background: var(--_soft);
    color: var(--_accent);
    font:
      700 12px/30px system-ui,
      sans-serif;
    text-align: center;
  }
  h2 {
    font-size: 22px;
    line-height: 1.25;
    margin: 0;
  }
  .mark {
    width: 56px;
    height: 56px;
    border-radius: 50%;
    background: var(--_soft);
    color: var(--_accent);
    display: grid;
    place-items: center;
  }
  .mark.bad {
    color: var(--_bad);
  }
  .mark svg {
    width: 28px;
    height: 28px;
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
  @media (prefers-reduced-motion: reduce) {
    .turn svg {
      animation-duration: 6s;
    }
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 8px 16px;
    margin: 0;
    font-size: 15px;
    border-top: 1px solid var(--_line);
    padding-top: 14px;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
    text-align: end;
    font-variant-numeric: tabular-nums;
    word-break: break-word;
  }
  @media print {
    .row,
    .plain,
    .quiet {
      display: none;
    }
  }
`
