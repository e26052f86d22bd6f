import { type Arguments, isFixturesFile } from './arguments.ts'
import type { Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'
import { isLink, readLink } from './links.ts'
import { readSecondStart, type SecondStart } from './second-start.ts'

export interface Opening {
  /** Opens the requested files and links; without anything to show, the app quits. */
  start(given: Pick<Arguments, 'files' | 'links'>): Promise<void>
  files(paths: readonly string[]): Promise<void>
}

export interface OpeningDeps {
  platform: NodeJS.Platform
  report: (line: string) => void
  /**
   * Handles the options of a second start, after its files and links were opened.
   * @returns whether the user's own sandbox has restarted
   */
  heed: (given: Arguments) => Promise<boolean>
  /** Handles the closing of the last window. */
  outlive: () => Promise<void>
}

/** Handles open requests of the system, from the very start. */
export function setupOpening(
  { app, BrowserWindow, dialog }: ElectronApi,
  desktop: Pick<Desktop, 'openFile' | 'showOwn' | 'goToOwn'>,
  { platform, report, heed, outlive }: OpeningDeps,
): Opening {
  const early: string[] = []
  let hasStarted = false
  let isTellingOfLink = false

  const hasWindows = () => BrowserWindow.getAllWindows().length > 0
  const unasked = (work: Promise<void>) =>
    void work.catch((error: unknown) => report(`cannot open it: ${String(error)}`))

  async function follow(link: string): Promise<void> {
    const reading = readLink(link)
    if ('path' in reading) return desktop.goToOwn(reading.path)
    // A page that opens many links causes only one dialog.
    if (isTellingOfLink) return
    isTellingOfLink = true
    await dialog
      .showMessageBox({
        type: 'warning',
        title: 'hub-sandbox',
        message: 'The link cannot be opened',
        detail: reading.problem,
      })
      .finally(() => (isTellingOfLink = false))
  }

  const openFiles = async (paths: readonly string[]) => {
    await Promise.all(paths.filter(isFixturesFile).map((path) => desktop.openFile(path)))
  }
  const openAll = async (names: readonly string[]) => {
    const [link] = names.filter(isLink)
    await Promise.all([openFiles(names), link === undefined ? undefined : follow(link)])
  }
  const openOrShow = (names: readonly string[]) =>
    names.length > 0 ? openAll(names) : desktop.showOwn()
  const openAgain = async (given: Arguments) => {
    await openOrShow([...given.files, ...given.links])
    // The window of a restarted sandbox is a new one.
    if (await heed(given)) await openAll(given.links)
  }
  const openLater = (name: string) => {
    if (hasStarted) unasked(openAll([name]))
    else early.push(name)
  }

  // macOS: a file or link is opened with the app, running or not.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    openLater(path)
  })
  app.on('open-url', (event, link) => {
    event.preventDefault()
    openLater(link)
  })
  app.on('second-instance', (_event, argv, cwd, handed) => {
    unasked(openAgain(readSecondStart(handed, { argv, cwd } satisfies SecondStart)))
  })
  // macOS: a click on the app's icon, and the very start as well.
  app.on('activate', () => {
    if (hasStarted && !hasWindows()) unasked(desktop.showOwn())
  })
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') unasked(outlive())
  })

  return {
    files: openFiles,
    async start({ files, links }) {
      await openOrShow([...files, ...links, ...early.splice(0)])
      hasStarted = true
      await openAll(early.splice(0))
      if (!hasWindows()) app.quit()
    },
  }
}
