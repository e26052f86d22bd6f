import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DemoItem } from '../../../server/contract/control-demos.ts'
import { type DemoKind, demoKinds } from '../../../server/contract/words/sandbox.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useParameterText } from '../../lib/parameters.ts'
import { DemoDialog } from './dialog.tsx'
import { kindWords } from './words.ts'
import { words } from './words.ts'

/** Four buttons beside each other and beside what else is there need so much room. */
const wideScreen = '(min-width: 80rem)'

/**
 * What the sandbox can play; each leads to its drawing.
 * @param fold whether a menu takes their place where there is little room
 */
export function DemoButtons({ fold = false }: { fold?: boolean }) {
  const [kind, setKind] = useState<DemoKind>()
  const isWide = useMediaQuery(wideScreen)
  const show = useShow()
  return (
    <>
      {fold && !isWide ? (
        <Menu
          trigger={<Button icon="play">{words.runDemo}</Button>}
          items={demoKinds.map((each) => ({
            label: kindWords[each].title,
            onSelect: () => setKind(each),
          }))}
        />
      ) : (
        demoKinds.map((each) => (
          <Button key={each} icon="play" onClick={() => setKind(each)}>
            {kindWords[each].title}
          </Button>
        ))
      )}
      {kind && <DemoDialog kind={kind} onClose={() => setKind(undefined)} onStarted={show} />}
    </>
  )
}

/** The first step of somebody who has no client at hand. */
export function FirstTry() {
  return (
    <>
      <span className="block pb-2">{words.introduction}</span>
      <span className="flex flex-wrap gap-2">
        <DemoButtons />
      </span>
    </>
  )
}

/** Where a try is drawn: its own flow, or the newest until it has made its first request. */
function useShow(): (item: DemoItem) => void {
  const [, navigate] = useLocation()
  const search = useParameterText()
  return ({ flowId = '' }) =>
    navigate(`/sign-ins${flowId && `/${encodeURIComponent(flowId)}`}${search}`)
}
