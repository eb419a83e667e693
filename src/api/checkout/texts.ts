/** All texts of the hosted page. To translate the page, translate this file. */

export const LANGUAGE = 'en';

export type Method = 'card' | 'mobile' | 'balance';

export const TEXTS = {
  secure: 'Secure escrow payment',
  title: {
    open: (amount: string, company: string) => `Pay ${amount} – ${company}`,
    card: (amount: string, company: string) => `Pay ${amount} by card – ${company}`,
    processing: (amount: string) => `Waiting for your payment of ${amount}`,
    paid: (amount: string) => `Paid: ${amount}`,
    expired: 'This payment link has expired',
    rejected: 'This payment was declined',
  },

  summary: {
    youPay: 'You are paying',
    youPaid: 'You paid',
    amount: 'Amount',
    seller: 'Seller',
    through: 'Through',
    buyer: 'Prepared for',
    validUntil: 'Valid until',
    items: 'What you are buying',
    quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
    total: 'To pay',
    paid: 'Paid',
  },
  timeLeft: {
    days: (days: number, hours: number) => `${plural(days, 'day')} ${plural(hours, 'hour')} left`,
    hours: (hours: number, minutes: number) => `${plural(hours, 'hour')} ${plural(minutes, 'minute')} left`,
    minutes: (minutes: number) => `${plural(minutes, 'minute')} left`,
    moments: 'less than a minute left',
  },

  escrow: {
    heading: 'Your money is held, not handed over',
    lead: (company: string) =>
      `${company} keeps your payment in escrow. The seller can see the money but cannot use it yet.`,
    steps: [
      { title: 'You pay', text: 'The money is locked for this order only.' },
      { title: 'You get your order', text: 'Check that it is what you agreed on.' },
      { title: 'The seller is paid', text: 'Only then is the money released.' },
    ],
    problem: (company: string) =>
      `Is something wrong? Tell ${company} before the money is released. It stays locked until the problem is settled, and you get back whatever is not paid out.`,
    autoRelease: (hours: number) =>
      `The money is released automatically ${plural(hours, 'hour')} after delivery is reported, unless you raise a problem first.`,
  },

  methods: {
    heading: 'How would you like to pay?',
    card: {
      name: 'Card or EFT',
      hint: 'Visa, Mastercard, bank transfer',
      text: 'Your card details go straight to the payment gateway. Neither we nor the seller ever see them.',
      button: 'Continue to the card form',
    },
    mobile: {
      name: 'Mobile money',
      hint: 'Approve it on your phone',
      label: 'Mobile money number',
      help: 'In national format, or with + and the country code.',
      button: (amount: string) => `Ask my phone for ${amount}`,
    },
    balance: {
      name: 'Your balance',
      hint: (company: string) => `Money you already have with ${company}`,
      text: (company: string) => `We send a code by WhatsApp to the number that ${company} has for you.`,
      send: 'Send me a code',
      sendAgain: 'Send another code',
      label: 'Six-digit code',
      help: 'We sent it to you by WhatsApp. It is valid for five minutes.',
      button: (amount: string) => `Pay ${amount} from my balance`,
    },
  },
  reject: {
    summary: 'I do not want to pay',
    text: 'The order is cancelled and this link stops working. This cannot be undone.',
    button: 'Decline and cancel the order',
  },

  card: {
    heading: 'Card or EFT payment',
    loading:
      "The payment gateway's secure form is loading. It needs JavaScript. Without JavaScript you can pay by mobile money or from your balance.",
    trouble: 'If no form appears, the payment gateway may be busy. Nothing has been charged.',
    back: 'Choose another way to pay',
  },

  processing: {
    heading: {
      card: 'Your payment is being confirmed',
      mobile_money: 'Now look at your phone',
      checking: 'We are checking your payment',
    },
    text: {
      card: 'Your bank has not confirmed the payment yet. This can take a few minutes, or longer for a bank transfer.',
      mobile_money: (amount: string) =>
        `We asked your mobile money operator for ${amount}. Approve it on your phone. This page then updates automatically.`,
      checking:
        'We have not heard from the payment gateway yet. If you finished paying, please wait here and do not pay again.',
    },
    refresh: 'This page updates automatically. You can close it: your payment continues.',
    again: 'Check now',
    back: 'I have not paid: choose how to pay',
  },

  paid: {
    heading: 'Thank you. Your payment is complete.',
    where: {
      held: 'Your money is now held in escrow. The seller can see it and can send your order.',
      disputed: 'There is a dispute about this order. Your money stays locked until it is settled.',
      released: 'The order is complete, and the money has been released to the seller.',
      returned: (company: string) => `The order was cancelled. Your money is back on your balance with ${company}.`,
      resolved: (company: string) =>
        `The dispute about this order was settled by ${company}, and the money was paid out as decided.`,
    },
    receipt: 'Receipt number',
    keep: 'Keep this page for your records.',
  },
  expired: {
    heading: 'This payment link has expired',
    text: (company: string) =>
      `It was not paid in time, so the order was cancelled. If you still want it, ask ${company} for a new link.`,
  },
  rejected: {
    heading: 'This payment was declined',
    text: (company: string) =>
      `The order was cancelled and this link no longer works. If that was a mistake, ask ${company} for a new one.`,
  },
  lateMoney: (company: string) =>
    `Money for this order arrived too late to be used. It is yours, and is now on your balance with ${company}.`,

  errors: {
    not_found: {
      title: 'We cannot find this payment',
      text: 'Check that you opened the whole link. If it still does not work, ask whoever sent it to you for a new one.',
    },
    busy: {
      title: 'One moment, please',
      text: 'There were too many requests from your connection. Wait a minute, then load this page again.',
    },
    unavailable: {
      title: 'The payment service is unavailable right now',
      text: 'Nothing is lost: if you have paid, your payment is safe. Please load this page again in a minute.',
    },
    invalid: {
      title: 'This page cannot be opened this way',
      text: 'Please open the payment link that you were sent and start again.',
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Nothing is lost: if you have paid, your payment is safe. Please open the payment link again in a minute.',
    },
  },
} as const;

/** The message about the buyer's last action. The key is the code of a refusal, or one of the page's own. */
export const NOTICES = {
  code_sent: { tone: 'info', text: 'If you do not get a code by WhatsApp within a minute, send another one.' },
  otp_required: { tone: 'error', text: 'Enter the six-digit code that we sent you.' },
  otp_invalid: { tone: 'error', text: 'That code is wrong. Check the latest message and try again.' },
  otp_expired: { tone: 'error', text: 'That code has expired. Send yourself another one.' },
  otp_locked: { tone: 'error', text: 'There were too many wrong codes. Send yourself another one.' },
  insufficient_funds: { tone: 'error', text: 'Your balance does not cover this amount. Please pay another way.' },
  account_frozen: { tone: 'error', text: 'Your balance cannot be used right now. Please pay another way.' },
  user_blacklisted: {
    tone: 'error',
    text: 'This payment cannot be taken. Please contact the company that sent the link.',
  },
  phone_invalid: {
    tone: 'error',
    text: 'This is not a valid phone number. Enter all of it, such as 0771 234 567 or +263 771 234 567.',
  },
  too_many_requests: { tone: 'error', text: 'Too many attempts. Please wait a little, or pay another way.' },
  provider_unavailable: {
    tone: 'error',
    text: 'This way to pay is unavailable right now. Nothing was charged. Try again in a minute, or pay another way.',
  },
  dependency_unavailable: {
    tone: 'error',
    text: 'We could not confirm this in time. It may still succeed: check this page in a minute before you try again.',
  },
  declined: {
    tone: 'error',
    text: 'Your last payment was declined and nothing was charged. You can try again, or pay another way.',
  },
} as const satisfies Record<string, { readonly tone: 'info' | 'error'; readonly text: string }>;

export type Notice = keyof typeof NOTICES;

/** The buyer's last action on the page: the chosen way to pay, and the result. */
export type LastAttempt = {
  readonly method: Method | null;
  readonly notice: Notice | null;
  /** The value of the refused field. */
  readonly typed?: string;
  /** The path from this page to the start of the checkout: '../' where the page is the answer to a form. */
  readonly root?: '' | '../';
};

export function isNotice(word: string | undefined): word is Notice {
  return word !== undefined && Object.hasOwn(NOTICES, word);
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
