/** @typedef {{ size: number, png: Buffer }} Image a square PNG and its edge in pixels */

/**
 * A Windows icon of PNG images.
 * @param {readonly Image[]} images up to 256 pixels
 */
export function ico(images) {
  const head = Buffer.alloc(6 + 16 * images.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of images.entries()) {
    const at = 6 + 16 * index
    // One byte an edge: 0 says 256.
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)])
}

/** Type of a PNG in a macOS icon, by its edge in pixels. */
const icnsTypes = new Map([
  [32, 'ic11'],
  [64, 'ic12'],
  [128, 'ic07'],
  [256, 'ic08'],
  [512, 'ic09'],
  [1024, 'ic10'],
])

/**
 * A macOS icon of PNG images.
 * @param {readonly Image[]} images of 32 to 1024 pixels, powers of two
 */
export function icns(images) {
  const parts = images.map(({ size, png }) => icnsPart(icnsTypes.get(size) ?? '', png))
  return icnsPart('icns', Buffer.concat(parts))
}

/**
 * @param {string} type four letters
 * @param {Buffer} content
 */
function icnsPart(type, content) {
  if (type.length !== 4) throw new TypeError('a macOS icon has no image of this size')
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(head.length + content.length, 4)
  return Buffer.concat([head, content])
}
