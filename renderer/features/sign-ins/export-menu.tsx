import { useMutation } from '@tanstack/react-query'
import type { FlowDetail } from '../../../server/contract/control-flows.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { copyText } from '../../components/copy.tsx'
import { Menu } from '../../components/menu.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { drawPng, drawSvg } from './lib/export-drawing.tsx'

/** What can be taken along of a flow. */
export function ExportMenu({ flow }: { flow: FlowDetail }) {
  const name = `sign-in-${flow.id}`
  const png = useMutation({
    mutationFn: () => drawPng(flow),
    onSuccess: (blob) => saveFile(`${name}.png`, blob),
    meta: { failed: 'The picture could not be made' },
  })
  // Without the parameters: whoever gets the link has a list of their own.
  const address = `${window.location.origin}${import.meta.env.BASE_URL}sign-ins/${encodeURIComponent(flow.id)}`
  return (
    <>
      <IconButton
        icon="connected"
        label="Copy link"
        size="small"
        onClick={() => void copyText(address, 'Link')}
      />
      <Menu
        trigger={
          <Button size="small" icon="download" busy={png.isPending}>
            Export
          </Button>
        }
        items={[
          {
            label: 'Picture (SVG)',
            onSelect: () =>
              saveFile(`${name}.svg`, new Blob([drawSvg(flow)], { type: 'image/svg+xml' })),
          },
          { label: 'Picture (PNG)', onSelect: () => png.mutate() },
        ]}
      />
    </>
  )
}
