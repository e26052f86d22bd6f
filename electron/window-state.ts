import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Rectangle } from 'electron'
import { makeFolder } from '../server/state/make-folder.ts'

export interface WindowState {
  bounds: Rectangle
  maximized: boolean
}

export const smallestSize = { width: 640, height: 480 }
const defaultSize = { width: 1280, height: 860 }
/** How much of a window must lie on a screen for its title bar to be caught by the mouse. */
const visiblePx = 100

/** The kept state; undefined when there is none, or none that can be read: a window's place is not worth a failure. */
export function readWindowState(file: string): WindowState | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isWindowState(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function writeWindowState(file: string, state: WindowState): void {
  makeFolder(dirname(file))
  writeFileSync(file, `${JSON.stringify(state)}\n`)
}

/**
 * Where to put the window: its last place if that is on a screen that is still there, else the middle of the first.
 * @param areas the usable part of each screen, the main one first
 */
export function fitWindow(
  state: WindowState | undefined,
  areas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  const wanted = state?.bounds
  const area = areas.find((candidate) => wanted && isWithinReach(wanted, candidate))
  const { width, height } = wanted ?? defaultSize
  const room = area ?? areas[0] ?? { ...defaultSize, x: 0, y: 0 }
  const size = {
    width: clamp(width, smallestSize.width, room.width),
    height: clamp(height, smallestSize.height, room.height),
  }
  return area && wanted ? { ...size, x: wanted.x, y: wanted.y } : size
}

function isWithinReach({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const reachable = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  return reachable >= visiblePx && y >= area.y && y <= area.y + area.height - visiblePx
}

/** A screen smaller than the least size still shows a window of that size. */
function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

function isWindowState(value: unknown): value is WindowState {
  const { bounds, maximized } = (value ?? {}) as Partial<WindowState>
  return (
    typeof maximized === 'boolean' &&
    (['x', 'y', 'width', 'height'] as const).every((key) => Number.isSafeInteger(bounds?.[key]))
  )
}
