import { encode } from 'uqr'

/** Dark on light, whatever the colors of the terminal: some cameras cannot read the inverse. */
const darkOnLight = '\u001b[38;5;16;48;5;231m'
const reset = '\u001b[0m'

/** Characters by upper and lower half. */
const halves = { '00': ' ', '10': '▀', '01': '▄', '11': '█' } as const

/**
 * Renders a QR code with two modules in each character, and the quiet zone of four modules (ISO/IEC 18004).
 * @param colored whether the terminal has colors; otherwise light modules are drawn, as for a dark terminal
 */
export function renderTerminalQr(text: string, colored: boolean): string[] {
  const { data } = encode(text, { border: 4 })
  const isDrawn = (row: number, column: number) => (data[row]?.[column] ?? false) === colored
  const lines: string[] = []
  for (let row = 0; row < data.length; row += 2) {
    const cells = (data[row] ?? []).map((_, column) => {
      const upper = isDrawn(row, column) ? 1 : 0
      const lower = isDrawn(row + 1, column) ? 1 : 0
      return halves[`${upper}${lower}`]
    })
    lines.push(colored ? `${darkOnLight}${cells.join('')}${reset}` : cells.join(''))
  }
  return lines
}
