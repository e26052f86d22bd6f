import type { SpaceFrameItem } from '../../../../server/contract/control-frames.ts'
import {
  cookieModes,
  cookieModeTexts,
  type CookieMode,
} from '../../../../server/contract/words/frame-words.ts'
import { useRead } from '../../../api/query.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { useOpenFrame } from '../model/requests.ts'
import { words } from '../words.ts'

export const modeOptions = cookieModes.map((value) => ({
  value,
  label: cookieModeTexts[value].name,
}))

interface OpenDialogProps {
  onOpened: (frame: SpaceFrameItem) => void
  onClose: () => void
}

export function OpenDialog({ onOpened, onClose }: OpenDialogProps) {
  const open = useOpenFrame()
  const spaces = useRead('GET repos', { query: { type: 'space', limit: 1000 } })
  const names = spaces.data?.items.map(({ name }) => name) ?? []
  const { form, patch, issue } = useForm(
    () => ({ target: 'http://localhost:7860', space: '', mode: 'browser' as CookieMode }),
    open.error,
  )
  const { target, space, mode } = form
  return (
    <FormDialog
      title="Open app in a frame"
      action="Open"
      busy={open.isPending}
      onSubmit={() =>
        open.mutate({ target, mode, ...(space === '' ? {} : { space }) }, { onSuccess: onOpened })
      }
      onClose={onClose}
    >
      <TextField
        label="URL of the app"
        hint="http://localhost:7860, while your app runs there"
        error={issue('target')}
        required
        value={target}
        onChange={(text) => patch({ target: text })}
      />
      <SelectField
        label="Space"
        hint="Optional: its environment variables are listed beside the frame"
        value={space}
        onChange={(name) => patch({ space: name })}
        options={[
          { value: '', label: 'None' },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
      <SelectField
        label={words.mode}
        hint={cookieModeTexts[mode].does}
        value={mode}
        onChange={(next) => patch({ mode: next })}
        options={modeOptions}
      />
      <FormError error={open.error} beside={['target']} />
    </FormDialog>
  )
}
