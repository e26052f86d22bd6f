import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  Notification,
  screen,
  session,
  shell,
  Tray,
} from 'electron'
import { startSandbox } from '../server/index.ts'
import { runDesktop } from './app.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

runDesktop(
  {
    app,
    BrowserWindow,
    clipboard,
    dialog,
    ipcMain,
    Menu,
    nativeImage,
    Notification,
    screen,
    session,
    shell,
    Tray,
  },
  {
    startSandbox,
    argv: process.argv,
    cwd: process.cwd(),
    platform: process.platform,
    preload: join(folder, 'preload.cjs'),
    icons: folder,
    faults: process,
    report: (line) => void process.stderr.write(`hub-sandbox: ${line}\n`),
  },
)
