import { existsSync } from 'node:fs'
import type { Browser } from '@playwright/test'
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
} from 'electron'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { StandInApp } from './app.ts'
import { chooseFrom, StandInNotification, StandInTray } from './desktop-parts.ts'
import { StandInSession } from './session.ts'
import { type IpcHandlers, StandInWindow } from './window.ts'

/** Electron without its program: what the app did to it, and what the system and the user do to the app. */
export interface ElectronStandIn {
  electron: ElectronApi
  app: StandInApp
  /** Addresses that were opened in the system's browser. */
  openedOutside: string[]
  /** Folders that were shown. */
  openedPaths: string[]
  clipboard: string[]
  /** Message boxes and error boxes, in order. */
  dialogs: Pick<MessageBoxOptions, 'message' | 'detail' | 'buttons'>[]
  /** Buttons pressed in the next message boxes; without one, a box stays open. */
  answers: number[]
  /** Choice in the next file dialog. */
  chosenFiles: string[]
  /** Chooses from the menu bar, by the labels on the way to the item. */
  chooseMenu(...labels: string[]): void
  /** The icon in the tray. */
  tray: StandInTray
  /** Notifications and dialogs shown to the user, in order. */
  notifications: StandInNotification[]
  /** Closes what is left in the browser, after the app has quit. */
  close(): Promise<void>
}

interface StandInOptions {
  /** Data folder of the app. */
  appData: string
  /** Whether no other instance runs. Default: true. */
  hasLock?: boolean
}

export function createElectronStandIn(
  browser: Browser,
  { appData, hasLock = true }: StandInOptions,
): ElectronStandIn {
  const app = new StandInApp({ appData, hasLock })
  const ipc: IpcHandlers = new Map()
  const sessions = new Map<string, StandInSession>()
  const opened: StandInWindow[] = []
  let menu: MenuItemConstructorOptions[] = []

  const standIn: Omit<ElectronStandIn, 'electron'> = {
    app,
    openedOutside: [],
    openedPaths: [],
    clipboard: [],
    dialogs: [],
    answers: [],
    chosenFiles: [],
    chooseMenu: (...labels) => chooseFrom(menu, labels),
    tray: new StandInTray(),
    notifications: [],
    async close() {
      await Promise.all(opened.map(({ gone }) => gone))
      for (const { context } of sessions.values()) await (await context).close()
    },
  }

  class Window extends StandInWindow {
    constructor(options: BrowserWindowConstructorOptions) {
      super({ app, ipc }, options)
      opened.push(this)
    }

    static getAllWindows() {
      return app.windows
    }
  }
  class Notification extends StandInNotification {
    show(): void {
      standIn.notifications.push(this)
    }
  }
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1600, height: 900 } }
  const electron = {
    app,
    BrowserWindow: Window,
    clipboard: { writeText: (text: string) => void standIn.clipboard.push(text) },
    dialog: {
      async showMessageBox(options: MessageBoxOptions) {
        if (!options.title) throw new Error(`the box "${options.message}" has no title`)
        standIn.dialogs.push(options)
        const response = standIn.answers.shift()
        if (response !== undefined) return { response }
        const { signal, cancelId = 0 } = options
        // A box that is closed by the app is answered as if the user had closed it.
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ response: cancelId }))
        })
      },
      async showOpenDialog() {
        const filePaths = standIn.chosenFiles.splice(0)
        return { canceled: filePaths.length === 0, filePaths }
      },
      showErrorBox: (message: string, detail: string) =>
        void standIn.dialogs.push({ message, detail }),
    },
    ipcMain: { handle: ipc.set.bind(ipc) },
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
      setApplicationMenu: (template: MenuItemConstructorOptions[]) => void (menu = template),
    },
    nativeImage: {
      createFromPath(path: string) {
        if (!existsSync(path)) throw new Error(`there is no image ${path}`)
        return path
      },
    },
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
    session: {
      fromPartition(partition: string) {
        const known = sessions.get(partition) ?? new StandInSession(browser)
        sessions.set(partition, known)
        return known
      },
    },
    shell: {
      openExternal: async (url: string) => void standIn.openedOutside.push(url),
      async openPath(path: string) {
        standIn.openedPaths.push(path)
        return existsSync(path) ? '' : 'it does not exist'
      },
    },
    Notification,
    // The app has one, whatever it does with the class.
    Tray: function TrayIcon() {
      return standIn.tray
    },
  }
  return { ...standIn, electron: electron as unknown as ElectronApi }
}
