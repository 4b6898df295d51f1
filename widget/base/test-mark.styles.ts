// The looks of the TEST mark, on the card and on a sheet over it.
import { css } from 'lit'

export const testMark = css`
  .test {
    visibility: visible !important;
    opacity: 1 !important;
    padding: 4px 10px;
    line-height: 1.1;
    border-radius: 12px;
    background: #ffd84d;
    color: #332a00;
    font-size: 13px;
    font-weight: 700;
    display: inline-block !important;
  }
`
