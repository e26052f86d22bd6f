import type { MenuItemConstructorOptions } from 'electron'
import { messageOf } from '../server/core/background.ts'
import type { Intents } from './intents.ts'
import { describeTrigger, type MenuState } from './menu-state.ts'
import type { Notice } from './settings.ts'

export interface MenuDeps {
  intents: Intents
  platform: NodeJS.Platform
  /** Shows the reason for a failed action. */
  fail: (message: string) => void
}

export type Click = (ask: (intents: Intents) => Promise<void>) => () => void

export const separator: MenuItemConstructorOptions = { type: 'separator' }

export function clickOf({ intents, fail }: Pick<MenuDeps, 'intents' | 'fail'>): Click {
  return (ask) => () => void ask(intents).catch((error: unknown) => fail(messageOf(error)))
}

/** Escapes ampersands, which would underline the next letter, and shortens a menu label. */
export function menuText(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text
  return shown.replaceAll('&', '&&')
}

/** Creates a checkbox that shows the actual state, not the click. */
function tickItem(label: string, checked: boolean, click: () => void): MenuItemConstructorOptions {
  return {
    label,
    type: 'checkbox',
    checked,
    click(item) {
      item.checked = checked
      click()
    },
  }
}

/** Menu items for the running sandbox. */
export function sandboxItems(state: MenuState, click: Click): MenuItemConstructorOptions[] {
  const { glance, sandbox } = state
  const answers = glance !== undefined
  const last = glance?.lastTrigger
  return [
    {
      label: 'Copy Client Settings',
      enabled: answers,
      submenu: [
        { label: 'For Shell', click: click((intents) => intents.copyClientSettings('shell')) },
        { label: 'As .env', click: click((intents) => intents.copyClientSettings('dotenv')) },
      ],
    },
    separator,
    {
      label:
        last === undefined ? 'Trigger Again' : menuText(`Trigger ${describeTrigger(last)} Again`),
      enabled: last !== undefined,
      click: click((intents) => intents.triggerAgain()),
    },
    {
      ...tickItem(
        'Pause Deliveries',
        glance?.isPaused === true,
        click((intents) => intents.setPaused(glance?.isPaused !== true)),
      ),
      enabled: answers,
    },
    sandbox === 'stopped'
      ? { label: 'Start Sandbox', click: click((intents) => intents.startOwn()) }
      : {
          label: 'Stop Sandbox',
          enabled: sandbox === 'here',
          click: click((intents) => intents.stopOwn()),
        },
  ]
}

const noticeLabels: Readonly<Record<Notice, string>> = {
  failedDelivery: 'Failed Deliveries',
  pendingDevice: 'Pending Devices',
  suspendedWebhook: 'Suspended Webhooks',
}

/** Menu items for the settings of the app. */
export function settingsItems(
  { settings }: MenuState,
  platform: NodeJS.Platform,
  click: Click,
): MenuItemConstructorOptions[] {
  const { keepRunning, notify } = settings
  return [
    // On macOS apps keep running without windows anyway.
    ...(platform === 'darwin'
      ? []
      : [
          tickItem(
            'Keep Running in the Tray',
            keepRunning,
            click((intents) => intents.setKeepRunning(!keepRunning)),
          ),
        ]),
    {
      label: 'Notifications',
      submenu: (Object.keys(noticeLabels) as Notice[]).map((notice) =>
        tickItem(
          noticeLabels[notice],
          notify[notice],
          click((intents) => intents.setNotice(notice, !notify[notice])),
        ),
      ),
    },
  ]
}
