import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (name: string) =>
  readFileSync(new URL(`../../../electron/icons/${name}`, import.meta.url))

describe('icons', () => {
  test.each([
    // electron-builder takes nothing below 256 pixels for Windows and 512 for macOS, whose largest has 1024.
    ['icon.png', 512],
    ['icon-mac.png', 1024],
    ['tray.png', 16],
    ['tray@2x.png', 32],
    ['trayTemplate.png', 16],
    ['trayTemplate@2x.png', 32],
  ])('%s is %i pixels wide', (name, size) => {
    const png = read(name)
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size])
  })
})
