import { counter } from './plural.ts';

/** The texts of the hosted checkout and its receipt. The other languages have the same keys and arguments. */

const days = counter('en', { one: 'day', other: 'days' });
const hours = counter('en', { one: 'hour', other: 'hours' });
const minutes = counter('en', { one: 'minute', other: 'minutes' });

export const ENGLISH = {
  secure: 'Secure escrow payment',
  testMode: { name: 'Test mode', text: 'This is not a real payment. No money moves.' },
  title: {
    open: (amount: string, company: string) => `Pay ${amount} – ${company}`,
    card: (amount: string, company: string) => `Pay ${amount} by card – ${company}`,
    processing: (amount: string) => `Waiting for your payment of ${amount}`,
    paid: (amount: string) => `Paid: ${amount}`,
  },

  summary: {
    youPay: 'You are paying',
    youPaid: 'You paid',
    amount: 'Amount',
    seller: 'Seller',
    through: 'Through',
    buyer: 'Prepared for',
    order: 'Order',
    validUntil: 'Valid until',
    items: 'What you are buying',
    quantity: (quantity: string, price: string) => `${quantity} × ${price}`,
    fees: 'Fees',
    adjustment: 'Adjustment',
    total: 'To pay',
    paid: 'Paid',
  },
  timeLeft: {
    days: (dayCount: number, hourCount: number) => `${days(dayCount)} ${hours(hourCount)} left`,
    hours: (hourCount: number, minuteCount: number) => `${hours(hourCount)} ${minutes(minuteCount)} left`,
    minutes: (minuteCount: number) => `${minutes(minuteCount)} left`,
    moments: 'less than a minute left',
  },

  escrow: {
    heading: 'Your money is held, not handed over',
    lead: (company: string) =>
      `${company} keeps your payment in escrow. The seller can see the money but cannot use it yet.`,
    steps: [
      { title: 'You pay', text: () => 'The money is locked for this order only.' },
      { title: 'You get your order', text: () => 'Check that it is what you agreed on.' },
      {
        title: 'The seller is paid',
        text: (company: string) => `The money stays locked until ${company} releases it.`,
      },
    ],
    problem: (company: string) =>
      `Is something wrong? Tell ${company} before the money is released. ${company} can then keep it locked until the problem is settled, and you get back whatever is not paid out.`,
    autoRelease: (hourCount: number) =>
      `The money is released automatically ${hours(hourCount)} after delivery is reported, unless you raise a problem first.`,
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
  backTo: (company: string) => `Back to ${company}`,
  leave: (company: string) => `Return to ${company} without paying`,
  help: 'Help:',
  terms: 'Terms',

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
    card: 'Your bank has not confirmed the payment yet. This can take a few minutes, or longer for a bank transfer.',
    mobile: (amount: string, lastDigits: string) =>
      `We asked the phone ending in ${lastDigits} for ${amount}. Approve the request there. This page then updates automatically.`,
    lapse: (minuteCount: number) =>
      `If it is not approved within ${minutes(minuteCount)}, the request lapses and you can choose another way to pay.`,
    checking:
      'We have not heard from the payment gateway yet. If you finished paying, please wait here and do not pay again.',
    refresh: 'This page updates automatically. You can close it: your payment continues.',
    again: 'Check now',
    back: 'I have not paid: choose how to pay',
  },

  paid: {
    headings: {
      unpaid: 'This order is not paid yet',
      held: 'Thank you. Your payment is complete.',
      partly_sent: 'Part of your order was sent',
      sent: 'Your order was sent',
      partly_received: 'You received part of your order',
      received: 'You received your order',
      disputed: 'There is a dispute about this order',
      taken_back: 'Your payment was taken back',
      released: 'This order is complete',
      divided: 'This order is complete',
      refunded: 'Your money came back',
      never_paid: 'This order was cancelled',
      returned: 'This order was cancelled',
      resolved: 'The dispute about this order is settled',
    },
    where: {
      unpaid: () => 'No money is held for it.',
      held: () => 'Your money is now held in escrow. The seller can see it and can send your order.',
      partly_sent: () =>
        'The seller has reported that part of your order was sent. Your money is still held in escrow.',
      sent: () => 'The seller has reported that your order was sent. Your money is still held in escrow.',
      partly_received: () => 'You confirmed that part of your order arrived. Your money is still held in escrow.',
      received: () => 'You confirmed that your order arrived. Your money is still held in escrow.',
      disputed: (company: string) =>
        `Your money stays locked until the dispute is settled. Questions? Contact ${company}.`,
      taken_back: (company: string) =>
        `Until that is made good, nothing is released for this order. Questions? Contact ${company}.`,
      released: () => 'The money has been released to the seller.',
      divided: () => 'The money was divided as agreed.',
      refunded: () => 'The order ended as agreed.',
      never_paid: () => 'It was never paid, so no money moved.',
      returned: null,
      resolved: null,
    },
    releaseAt: (at: string) => `It is released to the seller on ${at}, unless you raise a problem before then.`,
    stillHeld: (amount: string) => `${amount} is still held in escrow.`,
    retryAt: (at: string) => `The release was refused. It is tried again on ${at}.`,
    agreed: {
      mine: (amount: string) => `As agreed with the seller, you get ${amount} back of what is held.`,
      nothing: 'As agreed with the seller, you get nothing back of what is held.',
      theirs: (amount: string) => `The seller gets ${amount}.`,
      theyGetNothing: 'The seller gets nothing.',
      at: (at: string | null) =>
        at === null
          ? 'The money stays held until it is released.'
          : `This happens on ${at}, unless you raise a problem before then.`,
    },
    sellerGotNothing: 'The seller got nothing.',
    partReleased: (amount: string) => `${amount} has been released to the seller.`,
    partReturned: (amount: string, company: string) => `${amount} went back to your balance with ${company}.`,
    takenBack: (amount: string) => `${amount} of your payment was taken back (charged back or refunded).`,
    settled: (amount: string) => `${amount} of what was held settled that.`,
    madeGood: 'That is made good.',
    taken: (amount: string, company: string) => `${amount} of your money with ${company} was taken for that.`,
    owed: (amount: string, company: string) => `You still owe ${company} ${amount} for that.`,
    other: (amount: string, company: string) =>
      `${amount} of what was held settled other debts of yours with ${company}.`,
    at: 'Paid on',
    method: 'Paid by',
    methods: { card: 'Card or EFT', mobile_money: 'Mobile money', balance: 'Balance' },
    receipt: 'Receipt number',
    download: 'Download the receipt (PDF)',
  },
  expired: {
    heading: 'This payment link has expired',
    text: (company: string) =>
      `It was not paid in time, so the order was cancelled. If you still want it, ask ${company} for a new link.`,
  },
  rejected: {
    heading: 'You cancelled this order',
    text: (company: string) =>
      `You chose not to pay, so this link no longer works. If that was a mistake, ask ${company} for a new one.`,
  },
  cancelled: {
    heading: 'This order was cancelled',
    text: (company: string) =>
      `${company} cancelled the order before it was paid, so this link no longer works. A payment that still arrives is returned. If you have questions, contact ${company}.`,
  },
  lateMoney: (company: string) =>
    `Money for this order arrived too late to be used. It is yours, and is now on your balance with ${company}.`,

  receipt: {
    title: 'Receipt',
    testMode: 'TEST MODE – this receipt is for no real payment',
    issued: 'Issued',
    company: { tax: 'Tax no.', registration: 'Registration no.' },
  },

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

  /** The message about the buyer's last action. The key is the code of a refusal, or one of the page's own. */
  notices: {
    code_sent: 'If you do not get a code by WhatsApp within a minute, send another one.',
    otp_required: 'Enter the six-digit code that we sent you.',
    otp_invalid: 'That code is wrong. Check the latest message and try again.',
    otp_expired: 'That code has expired. Send yourself another one.',
    otp_locked: 'There were too many wrong codes. Send yourself another one.',
    insufficient_funds: 'Your balance does not cover this amount. Please pay another way.',
    account_frozen: 'Your balance cannot be used right now. Please pay another way.',
    user_blacklisted: 'This payment cannot be taken. Please contact the company that sent the link.',
    phone_invalid: 'This is not a valid phone number. Enter all of it, such as 0771 234 567 or +263 771 234 567.',
    too_many_requests: 'Too many attempts. Please wait a little, or pay another way.',
    provider_unavailable:
      'This way to pay is unavailable right now. Nothing was charged. Try again in a minute, or pay another way.',
    dependency_unavailable:
      'We could not confirm this in time. It may still succeed: check this page in a minute before you try again.',
    declined: 'Your last payment was declined and nothing was charged. You can try again, or pay another way.',
    lapsed:
      'The request to your phone was not approved in time, and nothing was charged. You can try again, or pay another way.',
  },
};

export type Texts = typeof ENGLISH;
