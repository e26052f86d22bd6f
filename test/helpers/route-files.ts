import { basename } from 'node:path'
import { routeFiles } from '../../server/tools/rooms.ts'

const names = new RegExp(`^(${routeFiles.join('|').replaceAll('*', '.+')})\\.ts$`)

/** Tells whether a file of the server registers routes or hooks, by its path. */
export function isRouteFile(path: string): boolean {
  return names.test(basename(path))
}
