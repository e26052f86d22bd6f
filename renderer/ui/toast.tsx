import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from '../lib/class-names.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { Icon, type IconName } from './icon.tsx'

/** Where a toast leads, such as to what was just made. */
interface ToastLink {
  href: string
  label: string
}

const manager = Toast.createToastManager<{ link?: ToastLink }>()

type Look = Readonly<{ icon: IconName; tone: string }>

const done: Look = { icon: 'check', tone: 'text-ok' }
const looks = new Map<string | undefined, Look>([
  ['remarks', { icon: 'warning', tone: 'text-warn' }],
  ['under-way', { icon: 'download', tone: 'text-muted' }],
  ['failed', { icon: 'warning', tone: 'text-bad' }],
])

/** Tells briefly that something was done; with a link, long enough to follow it. */
export function notify(title: string, description?: string, link?: ToastLink): void {
  const more = link && { data: { link }, timeout: 10_000 }
  manager.add(omitUndefined({ title, type: 'done', description, ...more }))
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
/** Share of the focused element that may be under a toast. */
const coveredShare = 0.3

/**
 * Moves the toasts to the top while they would cover the focused element. They lie over the page, which stays as it is,
 * and go away by themselves.
 */
function stayClear(viewport: HTMLElement | null): (() => void) | undefined {
  if (viewport === null) return undefined
  const look = () => {
    const focused = document.activeElement
    if (focused === null || viewport.contains(focused)) return
    viewport.toggleAttribute('data-raised', isCovered(focused, viewport))
  }
  const observer = new ResizeObserver(look)
  observer.observe(viewport)
  document.addEventListener('focusin', look)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', look)
  }
}

/** Whether toasts at the bottom would cover an element. */
function isCovered(element: Element, { offsetHeight, offsetWidth }: HTMLElement): boolean {
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
  const floor = window.innerHeight - margin
  const wall = document.documentElement.clientWidth - margin
  const across = Math.min(right, wall) - Math.max(left, wall - offsetWidth)
  const down = Math.min(bottom, floor) - Math.max(top, floor - offsetHeight)
  return across > 0 && down > 0 && across * down > coveredShare * width * height
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          data-toasts
          ref={stayClear}
          className="fixed right-4 bottom-4 left-4 z-50 ml-auto flex flex-col gap-2 data-raised:top-4 data-raised:bottom-auto sm:left-auto sm:w-90"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager<{ link?: ToastLink }>()
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
            {toast.data?.link && (
              <Link
                href={toast.data.link.href}
                onClick={() => manager.close(toast.id)}
                className="mt-1 inline-block text-xs font-medium text-accent underline underline-offset-2"
              >
                {toast.data.link.label}
              </Link>
            )}
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
