import { Field } from '../../form/field.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

const most = 12_000

/** A small picture that travels within the page. */
export function Logo(props: {
  value: string | null | undefined
  error: string | undefined
  onChange: (logo: string | null) => void
}) {
  const { value, error, onChange } = props
  const take = (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > most) return toast(`${file.name} has ${Math.ceil(file.size / 1000)} kB; a logo has up to 12`, 'bad')
    const reader = new FileReader()
    reader.onload = () => onChange(String(reader.result))
    reader.readAsDataURL(file)
  }
  return (
    <Field label="Logo" hint="PNG, JPEG, WebP or SVG of up to 12 kB." error={error}>
      {given => (
        <div className="actions">
          {value != null && <img src={value} alt="The logo as it is" height={32} />}
          <input
            {...given}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            onChange={event => take(event.target.files?.[0])}
          />
          {value != null && (
            <Button small onClick={() => onChange(null)}>
              Remove
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
