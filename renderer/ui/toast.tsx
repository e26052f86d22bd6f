import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { Icon, type IconName } from './icon.tsx'

const manager = Toast.createToastManager()

type Look = Readonly<{ icon: IconName; tone: string }>

const done: Look = { icon: 'check', tone: 'text-ok' }
const looks = new Map<string | undefined, Look>([
  ['remarks', { icon: 'warning', tone: 'text-warn' }],
  ['under-way', { icon: 'download', tone: 'text-muted' }],
  ['failed', { icon: 'warning', tone: 'text-bad' }],
])

/** Tells briefly that something was done. */
export function notify(title: string, description?: string): void {
  manager.add(omitUndefined({ title, type: 'done', description }))
}

/**
 * Tells what to know of something that was done. Stays long enough to be read; the same again
 * takes its place.
 */
export function notifyRemarks(title: string, lines: readonly string[]): void {
  manager.add({
    id: title,
    title,
    description: lines.join('\n'),
    type: 'remarks',
    timeout: 30_000,
  })
}

/** Shorter actions are not announced while they run. */
const shortMs = 400

/** Interval between progress announcements: long enough for a screen reader to finish one. */
const updateEveryMs = 500

/** Tells that something goes on, once it takes a while, until it is ended. */
export function notifyUnderWay(title: string): { update(howFar: string): void; end(): void } {
  let id: string | undefined
  let description: string | undefined
  let lastMs = 0
  const timer = setTimeout(() => {
    id = manager.add(omitUndefined({ title, type: 'under-way', timeout: 0, description }))
  }, shortMs)
  return {
    update(howFar) {
      description = howFar
      const nowMs = performance.now()
      if (id === undefined || nowMs - lastMs < updateEveryMs) return
      lastMs = nowMs
      manager.update(id, { description })
    },
    end() {
      clearTimeout(timer)
      if (id !== undefined) manager.close(id)
    },
  }
}

/** Tells that something failed; read out at once, and stays longer. */
export function notifyFailure(title: string, error: unknown): void {
  manager.add({
    title,
    description: error instanceof Error ? error.message : String(error),
    type: 'failed',
    priority: 'high',
    timeout: 10_000,
  })
}

/** Space around the toasts, in pixels. */
const margin = 16

/** Keeps the room of the toasts free of everything else: pages and dialogs end above `--toast-room`. */
function reserveRoom(viewport: HTMLElement | null): (() => void) | undefined {
  if (viewport === null) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const height = viewport.offsetHeight
    style.setProperty('--toast-room', height === 0 ? '0px' : `min(${height + 2 * margin}px, 40dvh)`)
  })
  observer.observe(viewport)
  return () => {
    observer.disconnect()
    style.removeProperty('--toast-room')
  }
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          data-toasts
          ref={reserveRoom}
          className="fixed right-4 bottom-4 left-4 z-50 ml-auto flex flex-col gap-2 sm:left-auto sm:w-90"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => {
    const { icon, tone } = looks.get(toast.type) ?? done
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        className="ease-pop rounded-lg border border-line bg-surface shadow-pop data-limited:hidden"
      >
        <Toast.Content className="flex items-start gap-2.5 p-3">
          <Icon name={icon} className={classNames('mt-0.5 size-4', tone)} />
          <div className="min-w-0 flex-1">
            <Toast.Title className="text-sm font-medium" />
            <Toast.Description className="text-xs break-words whitespace-pre-line text-muted" />
          </div>
          <Toast.Close
            aria-label="Dismiss"
            className="rounded p-0.5 text-faint hover:bg-hover hover:text-ink"
          >
            <Icon name="cross" className="size-3.5" />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    )
  })
}
