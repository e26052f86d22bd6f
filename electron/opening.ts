import { isFixturesFile, readArguments } from './arguments.ts'
import type { Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'

export interface Opening {
  /** Opens what the app was started for; without anything to show the app ends. */
  start(files: readonly string[]): Promise<void>
  files(paths: readonly string[]): Promise<void>
}

/** Listens for what the system asks the app to open, from the very start. */
export function setupOpening(
  { app, BrowserWindow }: ElectronApi,
  desktop: Pick<Desktop, 'openFile' | 'showOwn'>,
  { platform, report }: { platform: NodeJS.Platform; report: (line: string) => void },
): Opening {
  const early: string[] = []
  let hasStarted = false

  const hasWindows = () => BrowserWindow.getAllWindows().length > 0
  const openAll = async (paths: readonly string[]) => {
    await Promise.all(paths.filter(isFixturesFile).map((path) => desktop.openFile(path)))
  }
  const openOrShow = (paths: readonly string[]) =>
    paths.length > 0 ? openAll(paths) : desktop.showOwn()
  const unasked = (work: Promise<void>) =>
    void work.catch((error: unknown) => report(`a window could not be opened: ${String(error)}`))

  // macOS: the app, running or not, was chosen for a file.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (hasStarted) unasked(openAll([path]))
    else early.push(path)
  })
  app.on('second-instance', (_event, argv, cwd) =>
    unasked(openOrShow(readArguments(argv, cwd).files)),
  )
  // macOS: a click on the app's icon, and the very start as well.
  app.on('activate', () => {
    if (hasStarted && !hasWindows()) unasked(desktop.showOwn())
  })
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit()
  })

  return {
    files: openAll,
    async start(files) {
      await openOrShow([...files, ...early.splice(0)])
      hasStarted = true
      await openAll(early.splice(0))
      if (!hasWindows()) app.quit()
    },
  }
}
