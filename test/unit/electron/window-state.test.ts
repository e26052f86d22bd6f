import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fitWindow, readWindowState, writeWindowState } from '../../../electron/window-state.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const monitor = { x: 1440, y: 0, width: 2560, height: 1440 }
const at = (x: number, y: number, width = 1000, height = 700) => ({
  bounds: { x, y, width, height },
  maximized: false,
})

describe('the position of a new window', () => {
  test('is the last one, on whichever screen that was', () => {
    expect(fitWindow(at(200, 100), [laptop, monitor])).toEqual({
      x: 200,
      y: 100,
      width: 1000,
      height: 700,
    })
    expect(fitWindow(at(1800, 10), [laptop, monitor])).toMatchObject({ x: 1800, y: 10 })
  })

  test('is the middle, in the last size, if the screen is gone', () => {
    expect(fitWindow(at(1800, 10), [laptop])).toEqual({ width: 1000, height: 700 })
  })

  test.each([
    ['left of', at(-950, 100)],
    ['right of', at(1400, 100)],
    ['above', at(100, 0)],
    ['below', at(100, 860)],
  ])('is the middle if the title bar was %s the screen', (_where, state) => {
    expect(fitWindow(state, [laptop])).not.toHaveProperty('x')
  })

  test('has a size between the usable minimum and the screen', () => {
    expect(fitWindow(at(0, 25, 5000, 5000), [laptop])).toMatchObject({ width: 1440, height: 875 })
    expect(fitWindow(at(0, 25, 1, 1), [laptop])).toMatchObject({ width: 640, height: 480 })
    expect(fitWindow(undefined, [{ ...laptop, width: 800, height: 400 }])).toEqual({
      width: 800,
      height: 480,
    })
  })
})

describe('storing the position', () => {
  test('reads what it wrote', () => {
    const file = join(temporaryDirectory(), 'profile', 'window.json')
    expect(readWindowState(file)).toBeUndefined()
    writeWindowState(file, at(1, 2))
    expect(readWindowState(file)).toEqual(at(1, 2))
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"maximized":true}',
    '{"maximized":false,"bounds":{"x":1,"y":2,"width":3}}',
    '{"maximized":false,"bounds":{"x":1,"y":2,"width":3,"height":1e999}}',
  ])('uses defaults for %j', (text) => {
    const file = join(temporaryDirectory(), 'window.json')
    writeFileSync(file, text)
    expect(readWindowState(file)).toBeUndefined()
  })
})
