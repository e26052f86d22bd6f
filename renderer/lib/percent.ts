/** Formats a share; `100 %` only for all and `0 %` only for none, `–` without anything to share. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  const rounded = Math.round(share * 100)
  if (rounded === 100 && share < 1) return '99 %'
  return rounded === 0 && share > 0 ? '1 %' : `${rounded} %`
}
