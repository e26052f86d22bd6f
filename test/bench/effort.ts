const quick = process.argv.includes('--quick')

/** How often something is measured: what a row asks for, or with `--quick` what shows that it works. */
export function rounds(wanted: number): number {
  return quick ? Math.min(wanted, 3) : wanted
}

/** How much of it: with `--quick` a tenth. */
export function amount(wanted: number): number {
  return quick ? Math.ceil(wanted / 10) : wanted
}
