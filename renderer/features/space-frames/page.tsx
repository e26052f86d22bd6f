import { ResourcePage } from '../../shared/resource-page.tsx'
import { useLocation } from 'wouter'
import type { SpaceFrameItem } from '../../../server/contract/control-frames.ts'
import { cookieModeTexts } from '../../../server/contract/words/frame-words.ts'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import { Moment } from '../../ui/time.tsx'
import { FramePage } from './detail/frame-page.tsx'
import { OpenDialog } from './detail/open-dialog.tsx'
import { useSpaceFrames } from './model/requests.ts'
import { words } from './words.ts'

const columns: readonly Column<SpaceFrameItem>[] = [
  {
    title: 'App',
    minWidth: 10,
    sortBy: ({ target }) => target,
    renderCell: ({ target, space }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium" title={target}>
          {target}
        </span>
        {space !== undefined && <span className="truncate text-2xs text-muted">{space}</span>}
      </span>
    ),
  },
  {
    title: words.mode,
    minWidth: 8,
    sortBy: ({ mode }) => cookieModeTexts[mode].name,
    renderCell: ({ mode }) => cookieModeTexts[mode].name,
  },
  {
    title: words.requests,
    width: 6,
    align: 'right',
    descendsFirst: true,
    sortBy: ({ callCount }) => callCount,
    renderCell: ({ callCount }) => callCount,
  },
  {
    title: 'Opened',
    width: 8,
    priority: 2,
    descendsFirst: true,
    sortBy: ({ openedAt }) => openedAt,
    renderCell: ({ openedAt }) => <Moment time={openedAt} />,
  },
]

/** Apps in cross-site frames, or one of them. */
export function SpaceFramesPage({ id }: { id?: string | undefined }) {
  return id === undefined ? <FrameList /> : <FramePage key={id} id={id} />
}

function FrameList() {
  const frames = useSpaceFrames()
  const [, navigate] = useLocation()
  const openFrame = ({ id }: Pick<SpaceFrameItem, 'id'>) => navigate(`/space-frames/${id}`)
  return (
    <ResourcePage
      title={words.title}
      lead="Your app in a frame of another site, as the Hub shows a Space, and what becomes of its cookies there."
      query={frames}
      what="Space frames"
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={openFrame}
      renderEmpty={() => (
        <Empty icon="space" title="No app is framed" command={words.example}>
          {words.emptyHint}
        </Empty>
      )}
      create={{
        label: 'Open app in a frame',
        renderDialog: (close) => <OpenDialog onOpened={openFrame} onClose={close} />,
      }}
    />
  )
}
