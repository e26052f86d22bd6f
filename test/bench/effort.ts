const quick = process.argv.includes('--quick')

/** Number of rounds: the given one, or at most 3 with `--quick`. */
export function rounds(wanted: number): number {
  return quick ? Math.min(wanted, 3) : wanted
}

/** Number of items in a round: the given one, or a tenth of it with `--quick`. */
export function amount(wanted: number): number {
  return quick ? Math.ceil(wanted / 10) : wanted
}
