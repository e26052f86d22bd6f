import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { type DesktopBridge, desktopBridgeName } from '../server/contract/desktop.ts'
import { channels } from './channels.ts'

/** The part of the DOM that is used here; the main process must not see it. */
interface FileDrag {
  readonly dataTransfer: { readonly files: ArrayLike<File>; readonly types: readonly string[] }
  preventDefault(): void
}
declare const window: {
  addEventListener(type: 'dragover' | 'drop', listener: (event: FileDrag) => void): void
}

/** Requested page while the dashboard is not loaded yet. */
let waiting: string | undefined
let goTo = (path: string) => {
  waiting = path
}
ipcRenderer.on(channels.goTo, (_event, path: string) => goTo(path))

const bridge: DesktopBridge = {
  openFixtures: () => ipcRenderer.invoke(channels.openFixtures),
  showDataFolder: () => ipcRenderer.invoke(channels.showDataFolder),
  onGoTo(listener) {
    goTo = listener
    if (waiting !== undefined) listener(waiting)
    waiting = undefined
  },
}
contextBridge.exposeInMainWorld(desktopBridgeName, bridge)

const holdsFiles = ({ dataTransfer }: FileDrag) => dataTransfer.types.includes('Files')

// Otherwise the window would load the dropped file instead of the dashboard.
window.addEventListener('dragover', (event) => {
  if (holdsFiles(event)) event.preventDefault()
})
window.addEventListener('drop', (event) => {
  if (!holdsFiles(event)) return
  event.preventDefault()
  // A file created by a script has no path.
  const paths = Array.from(event.dataTransfer.files, (file) => webUtils.getPathForFile(file))
  void ipcRenderer.invoke(channels.openDropped, paths.filter(Boolean))
})
