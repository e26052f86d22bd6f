import { isAbsolute, relative, resolve } from 'node:path'
import { packageRoot } from '../core/package-root.ts'

/** Returns the path of this package: relative if both are in one project, which may be moved, else absolute. */
export function pathToPackage(folder: string, root = packageRoot): string {
  const path = relative(resolve(folder), root)
  // A workspace has node_modules above the folder; any other way up leaves the project.
  const isInProject = /^(\.\.[/\\])*node_modules[/\\]|^(?!\.\.)/.test(path) && !isAbsolute(path)
  return isInProject ? path : root
}
