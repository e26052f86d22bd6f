import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TryItem } from '../../../server/contract/control-tries.ts'
import { type TryKind, tryKinds } from '../../../server/contract/words/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useParameterText } from '../../lib/parameters.ts'
import { TryDialog } from './dialog.tsx'
import { kindWords } from './words.ts'

/** Four buttons beside each other and beside what else is there need so much room. */
const wideScreen = '(min-width: 80rem)'

/**
 * What the sandbox can play; each leads to its drawing.
 * @param fold whether a menu takes their place where there is little room
 */
export function TryButtons({ fold = false }: { fold?: boolean }) {
  const [kind, setKind] = useState<TryKind>()
  const isWide = useMediaQuery(wideScreen)
  const show = useShow()
  return (
    <>
      {fold && !isWide ? (
        <Menu
          trigger={<Button icon="play">Try one</Button>}
          items={tryKinds.map((each) => ({
            label: kindWords[each].title,
            onSelect: () => setKind(each),
          }))}
        />
      ) : (
        tryKinds.map((each) => (
          <Button key={each} icon="play" onClick={() => setKind(each)}>
            {kindWords[each].title}
          </Button>
        ))
      )}
      {kind && <TryDialog kind={kind} onClose={() => setKind(undefined)} onStarted={show} />}
    </>
  )
}

/** The first step of somebody who has no client at hand. */
export function FirstTry() {
  return (
    <>
      <span className="block pb-2">
        Let the sandbox play an app, step by step or at once, and watch it being drawn.
      </span>
      <span className="flex flex-wrap gap-2">
        <TryButtons />
      </span>
    </>
  )
}

/** Where a try is drawn: its own flow, or the newest until it has made its first request. */
function useShow(): (item: TryItem) => void {
  const [, navigate] = useLocation()
  const search = useParameterText()
  return ({ flowId = '' }) =>
    navigate(`/sign-ins${flowId && `/${encodeURIComponent(flowId)}`}${search}`)
}
