// `hc-checkout/react`: the element as a component of React 18 and 19, with its properties and
// events as props. Importing it registers the tag. In a server component React renders it, and
// listens in the browser.
'use client'
import { createComponent, type EventName } from '@lit/react'
import * as React from 'react'
import './define.ts'
import type { DepositEvent } from './base/deposit-events.ts'
import type { ChangeEvent, ErrorEvent, ReadyEvent } from './base/events.ts'
import { HcCheckout as Element } from './hc-checkout.ts'

export const HcCheckout = createComponent({
  tagName: 'hc-checkout',
  elementClass: Element,
  react: React,
  displayName: 'HcCheckout',
  events: {
    onReady: 'hc-ready' as EventName<ReadyEvent>,
    onChange: 'hc-change' as EventName<ChangeEvent>,
    onDepositCreated: 'hc-deposit-created' as EventName<DepositEvent>,
    onCheckoutOpened: 'hc-checkout-opened' as EventName<DepositEvent>,
    onStatusChange: 'hc-status-change' as EventName<DepositEvent>,
    onSuccess: 'hc-success' as EventName<DepositEvent>,
    onFailure: 'hc-failure' as EventName<DepositEvent>,
    onError: 'hc-error' as EventName<ErrorEvent>,
  },
})
