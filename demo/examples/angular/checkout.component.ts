// CUSTOM_ELEMENTS_SCHEMA lets Angular bind to an unknown tag.
import { CUSTOM_ELEMENTS_SCHEMA, Component, input, signal } from '@angular/core'
import 'hc-checkout/define'

@Component({
  selector: 'app-checkout',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <hc-checkout
      companion="https://pay.shop.example"
      [attr.session]="session()"
      (hc-success)="paid.set(true)"
    ></hc-checkout>
    @if (paid()) {
      <p>Thank you!</p>
    }
  `,
})
export class CheckoutComponent {
  readonly session = input.required<string>()
  protected readonly paid = signal(false)
}
