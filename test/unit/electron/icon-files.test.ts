import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { icns, ico } from '../../../electron/icon-files.mjs'

const read = (name: string) =>
  readFileSync(new URL(`../../../electron/icons/${name}`, import.meta.url))
const pngSize = (png: Buffer) => {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

/** The images that a reader of Windows icons would find. */
function readIco(file: Buffer) {
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1])
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index
    const start = file.readUInt32LE(at + 12)
    const png = file.subarray(start, start + file.readUInt32LE(at + 8))
    return { size: file.readUInt8(at) || 256, png }
  })
}

/** The images that a reader of macOS icons would find. */
function readIcns(file: Buffer) {
  expect(file.toString('latin1', 0, 4)).toBe('icns')
  expect(file.readUInt32BE(4)).toBe(file.length)
  const images = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    const png = file.subarray(at + 8, at + file.readUInt32BE(at + 4))
    images.push({ type: file.toString('latin1', at, at + 4), png })
  }
  return images
}

describe('icons', () => {
  test('hold what they say, for Windows', () => {
    const images = readIco(read('icon.ico'))
    expect(images.map(({ size }) => size)).toEqual([16, 32, 48, 256])
    for (const { size, png } of images) expect(pngSize(png)).toEqual({ width: size, height: size })
  })

  test('hold what they say, for macOS', () => {
    const sizes = readIcns(read('icon.icns')).map(({ type, png }) => [type, pngSize(png).width])
    expect(sizes).toEqual([
      ['ic11', 32],
      ['ic12', 64],
      ['ic07', 128],
      ['ic08', 256],
      ['ic09', 512],
      ['ic10', 1024],
    ])
  })

  test.each([
    ['icon.png', 512],
    ['tray.png', 16],
    ['tray@2x.png', 32],
    ['trayTemplate.png', 16],
    ['trayTemplate@2x.png', 32],
  ])('%s is %i pixels wide', (name, size) => {
    expect(pngSize(read(name))).toEqual({ width: size, height: size })
  })

  test('keep the images apart', () => {
    const images = [
      { size: 32, png: Buffer.from('small') },
      { size: 256, png: Buffer.from('larger') },
    ]
    expect(readIco(ico(images)).map(({ png }) => png.toString())).toEqual(['small', 'larger'])
    expect(readIcns(icns(images)).map(({ png }) => png.toString())).toEqual(['small', 'larger'])
    expect(() => icns([{ size: 48, png: Buffer.alloc(0) }])).toThrow(TypeError)
  })
})
