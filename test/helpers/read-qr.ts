import jsqr from 'jsqr'

/**
 * Reads a QR code as a camera does, by a library that knows nothing of the one that drew it.
 * @param isDark whether a module is, by its row and column
 * @param size modules to a side, quiet zone included
 */
export function readQr(
  size: number,
  isDark: (row: number, column: number) => boolean,
): string | undefined {
  const scale = 4
  const side = size * scale
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!isDark(Math.floor(y / scale), Math.floor(x / scale))) continue
      pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
    }
  }
  return jsqr.default(pixels, side, side)?.data
}
