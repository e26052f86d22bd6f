import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions } from 'electron'

type Template = readonly MenuItemConstructorOptions[]

/** Chooses as a user does: what is switched off cannot be, and a box is ticked by the click before the app hears of it. */
export function chooseFrom(template: Template, labels: readonly string[]): void {
  const item = findItem(template, labels)
  if (item.enabled === false) throw new Error(`${labels.join(' > ')} is switched off`)
  const click = item.click as ((item: { checked: boolean }) => void) | undefined
  click?.({ checked: !(item.checked ?? false) })
}

function findItem(
  template: Template,
  [label, ...rest]: readonly string[],
): MenuItemConstructorOptions {
  const item = template.find(
    (entry) => entry.role === label || (entry.label && plain(entry.label) === plain(label ?? '')),
  )
  if (item === undefined) {
    throw new Error(`there is no ${label}, but ${template.map((entry) => entry.label).join(', ')}`)
  }
  return rest.length === 0 ? item : findItem(item.submenu as Template, rest)
}

/** Removes the mark of a mnemonic, the only single ampersand. */
function plain(label: string): string {
  return label.replaceAll(/(&&)|&/g, '$1')
}

/** The icon in the tray, with what is said of it and its menu. */
export class StandInTray extends EventEmitter {
  toolTip = ''
  #menu: Template = []
  #isDestroyed = false

  setToolTip(text: string): void {
    this.toolTip = text
  }

  setContextMenu(menu: Template): void {
    this.#menu = menu
  }

  destroy(): void {
    this.#isDestroyed = true
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  /** The labels of its menu; those in brackets are switched off. */
  get labels(): string[] {
    return this.#menu.flatMap(({ label, enabled = true }) =>
      label === undefined ? [] : [enabled ? plain(label) : `[${plain(label)}]`],
    )
  }

  isTicked(...labels: string[]): boolean {
    return findItem(this.#menu, labels).checked === true
  }

  choose(...labels: string[]): void {
    chooseFrom(this.#menu, labels)
  }
}

/** Notification of the system; the test emits `click`. */
export abstract class StandInNotification extends EventEmitter {
  readonly title: string
  readonly body: string

  constructor({ title, body }: { title: string; body: string }) {
    super()
    this.title = title
    this.body = body
  }

  static isSupported(): boolean {
    return true
  }

  abstract show(): void

  isClosed = false

  close(): void {
    this.isClosed = true
  }
}
