import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../ui/button.tsx'
import { later, loadRest } from '../ui/later.tsx'
import { Logo } from '../ui/logo.tsx'
import { Part } from '../ui/part.tsx'
import { useHotkeys, usePaletteKey } from '../lib/hotkeys.ts'
import { keepFocus } from '../lib/keep-focus.ts'
import { usePresent, usePresentedLook } from '../lib/present.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { useDesktopPages } from './desktop-pages.ts'
import { KeyboardHelp } from './keyboard-help.tsx'
import { Navigation } from './navigation.tsx'
import { PlacePages } from './place-pages.tsx'
import { usePlaceKeys } from './place-keys.ts'
import { AuditBanner } from './audit-banner.tsx'
import { RecordedRunBanner } from './recorded-run-banner.tsx'
import { TopBar } from './top-bar.tsx'
import { words } from './words.ts'

// Not needed for the first page, so loaded right after it.
const CommandPalette = later(async () => (await import('./command-palette.tsx')).CommandPalette)
const TriggerPanel = later(
  async () => (await import('../features/triggers/panel.tsx')).TriggerPanel,
)

type Overlay = 'palette' | 'trigger' | 'keys' | 'navigation' | undefined

export function Shell({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay>()
  const toggle = (which: Overlay) => (open: boolean) => setOverlay(open ? which : undefined)
  const { isPresented } = usePresent()
  usePresentedLook(isPresented)
  useEffect(loadRest, [])
  useEffect(keepFocus, [])
  usePaletteKey(() => setOverlay(overlay === 'palette' ? undefined : 'palette'))
  useDesktopPages(() => setOverlay(undefined))
  usePlaceKeys(() => setOverlay(undefined))
  useHotkeys({ '?': () => setOverlay('keys') })
  useHotkeys({
    // A presentation takes the key, too: an early key without a handler would open it afterwards.
    t: () => setOverlay(isPresented ? overlay : 'trigger'),
  })

  return (
    <div className="flex h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      {!isPresented && (
        <aside className="flex w-54 shrink-0 flex-col border-r border-line bg-sunken/60 max-lg:hidden">
          <Home />
          <Navigation />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {!isPresented && (
          <TopBar
            onTrigger={() => setOverlay('trigger')}
            onPalette={() => setOverlay('palette')}
            onKeys={() => setOverlay('keys')}
            menu={
              <IconButton
                icon="menu"
                label={words.navigation}
                className="lg:hidden"
                onClick={() => setOverlay('navigation')}
              />
            }
          />
        )}
        {!isPresented && <ConnectionBanner />}
        {!isPresented && <RecordedRunBanner />}
        {!isPresented && <AuditBanner />}
        {!isPresented && <PlacePages />}
        <main
          id="main"
          data-scroller
          tabIndex={-1}
          className="scroll-quiet min-h-0 flex-1 overflow-y-auto outline-none"
        >
          {children}
        </main>
      </div>
      <Dialog.Root open={overlay === 'navigation'} onOpenChange={toggle('navigation')}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
          <Dialog.Popup className="ease-pop fixed inset-y-0 left-0 z-40 flex w-64 flex-col border-r border-line bg-canvas shadow-pop outline-none">
            <Dialog.Title className="sr-only">{words.navigation}</Dialog.Title>
            <Home />
            <Navigation onNavigate={() => setOverlay(undefined)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <Part quiet>
        {overlay === 'palette' && (
          <CommandPalette
            close={() => setOverlay(undefined)}
            onTrigger={() => setOverlay('trigger')}
            onKeys={() => setOverlay('keys')}
          />
        )}
        <TriggerPanel open={overlay === 'trigger'} onOpenChange={toggle('trigger')} />
      </Part>
      <KeyboardHelp open={overlay === 'keys'} onOpenChange={toggle('keys')} />
    </div>
  )
}

function Home() {
  return (
    <Link href="/" className="flex h-13 shrink-0 items-center gap-2.5 px-4">
      <Logo />
      <span className="text-base font-semibold tracking-tight">hub-sandbox</span>
    </Link>
  )
}
