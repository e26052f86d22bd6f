import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Rectangle } from 'electron'
import { makeFolder } from '../server/store/make-folder.ts'

export interface WindowState {
  bounds: Rectangle
  maximized: boolean
}

export const smallestSize = { width: 640, height: 480 }
const defaultSize = { width: 1280, height: 860 }
/** Minimum visible part of a window, so that the mouse can grab its title bar. */
const visiblePx = 100

/** Reads the saved position; undefined if missing or unreadable, which is not worth an error. */
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
 * Returns the position of the window: the last one if its screen still exists, else the middle of the first screen.
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

/** A window has its minimum size even on a smaller screen. */
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
